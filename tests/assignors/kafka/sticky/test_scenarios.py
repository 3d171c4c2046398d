"""Kafka's own test scenarios for the sticky assignors; every expected answer is Kafka's.

Left out, because only a direct call of the class reaches them; a group document has one claim and
one generation for a member:

* MemberData, MemberDataWithInconsistentData, ...WillHonorUserData,
  MemberDataWithEmptyPartitionsAndEqualGeneration, ...AndHigherGeneration, EncodeGeneration and
  DecodeGeneration,
  whose user data differ from the owned list or the generation in the same subscription.
* The layouts of SchemaBackwardCompatibility and AssignorWithOldVersionSubscriptions; their claims
  are asked.
* The rack scenarios of owned lists without generation for sticky, which has no user data then and
  answers as if nothing were owned; the Streams tests of the same file.
* Time limits of the scale tests; their answers are in test_sticky_digests.
"""

import re
from itertools import permutations
from random import Random

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group.owned import held_rows
from evenkeel.assignors.rounds.classic import rounds
from tests.assignors.asking import ask
from tests.assignors.kafka.sticky.test_literal import snapshot_of
from tests.recorded import notation, vectors
from tests.recorded.scenarios import as_sets, scenarios

BOTH = ("sticky", "cooperative-sticky")
both = pytest.mark.parametrize("name", BOTH)
COOPERATIVE = {
    each.name: each
    for each in scenarios()
    if each.assignor == "cooperative-sticky" and not each.error
}
STICKY = {each.name: each for each in scenarios() if each.assignor == "sticky"}

GENERATIONS = {
    "123 213 312 321": "c1[T-0,2] c2[T-1,3] c3[T-4,5] c4[T1-0]",
    "132 231": "c1[T-0,1] c2[T-2,3] c3[T-4,5] c4[T1-0]",
}

MULTIPLE_GENERATIONS = [
    (
        "equal, all join",
        "T:6 T2:6",
        "c1{T T2} c2{T T2} c3{T T2}",
        "c1[T-0,3 T2-0,3] c2[T-1,4 T2-1,4] c3[T-2,5 T2-2,5]",
    ),
    (
        "equal, c3 gone",
        "T:6 T2:6",
        "c1{T T2; T-0,3 T2-0,3 @1} c2{T T2; T-1,4 T2-1,4 @1}",
        "c1[T-0,2,3 T2-0,2,3] c2[T-1,4,5 T2-1,4,5]",
    ),
    (
        "equal, c3 back, c1 gone",
        "T:6 T2:6",
        "c2{T T2; T-1,4,5 T2-1,4,5 @2} c3{T T2; T-2,5 T2-2,5 @1}",
        "c2[T-1,4,5 T2-1,4,5] c3[T-0,2,3 T2-0,2,3]",
    ),
    (
        "c2 only on T, all join",
        "T:6 T2:6",
        "c1{T T2} c2{T} c3{T T2}",
        "c1[T2-0,2,4 T-3] c2[T-0,1,2,4] c3[T2-1,3,5 T-5]",
    ),
    (
        "c2 only on T, c3 gone",
        "T:6 T2:6",
        "c1{T T2; T2-0,2,4 T-3 @1} c2{T; T-0,1,2,4 @1}",
        "c1[T2-0..5] c2[T-0..5]",
    ),
    (
        "c2 only on T, c3 back",
        "T:6 T2:6",
        "c2{T; T-0..5 @2} c3{T T2; T2-1,3,5 T-5 @1}",
        "c2[T-0..5] c3[T2-0..5]",
    ),
    (
        "twelve, all join",
        "T:4 T2:4 T3:4",
        "c1{T T2 T3} c2{T T2 T3} c3{T T2 T3}",
        "c1[T-0,3 T2-2 T3-1] c2[T-1 T2-0,3 T3-2] c3[T-2 T2-1 T3-0,3]",
    ),
    (
        "twelve, c2 alone",
        "T:4 T2:4 T3:4",
        "c2{T T2 T3; T-1 T2-0,3 T3-2 @1}",
        "c2[T-0..3 T2-0..3 T3-0..3]",
    ),
    (
        "twelve, c1 and c3 back",
        "T:4 T2:4 T3:4",
        (
            "c1{T T2 T3; T-0,3 T2-2 T3-1 @1} c2{T T2 T3; T-0..3 T2-0..3 T3-0..3 @2} c3{T T2 T3; T-2"
            " T2-1 T3-0,3 @1}"
        ),
        "c1[T-2 T2-1,3 T3-2] c2[T-0,1 T2-0 T3-0] c3[T-3 T2-2 T3-1,3]",
    ),
    (
        "c1 on T, c3 on T T2",
        "T:4 T2:4 T3:4",
        "c1{T} c2{T T2 T3} c3{T T2}",
        "c1[T-0..3] c2[T3-0..3] c3[T2-0..3]",
    ),
    ("c1 on T, c2 alone", "T:4 T2:4 T3:4", "c2{T T2 T3; T3-0..3 @1}", "c2[T-0..3 T2-0..3 T3-0..3]"),
    (
        "c1 on T, c1 and c3 back",
        "T:4 T2:4 T3:4",
        "c1{T; T-0..3 @1} c2{T T2 T3; T-0..3 T2-0..3 T3-0..3 @2} c3{T T2; T2-0..3 @1}",
        "c1[T-0..3] c2[T3-0..3] c3[T2-0..3]",
    ),
    (
        "SchemaBackwardCompatibility",
        "T:3",
        "c1{T; T-0,2 @1} c2{T; T-1 @-} c3{T}",
        "c1[T-0] c2[T-1] c3[T-2]",
    ),
    (
        "AssignorWithOldVersionSubscriptions",
        "T1:3",
        "c1{T1; T1-0 @1} c2{T1; T1-1 @1} c3{T1}",
        "c1[T1-0] c2[T1-1] c3[T1-2]",
    ),
    (
        "conflicting generations",
        "T:4 T2:4 T3:4",
        (
            "c1{T T2 T3; T-0,1,2 T2-2,3 T3-0 @1} c2{T T2 T3; T-0,1 T2-0..3 @2} c3{T T2 T3; T-2,3"
            " T3-0..3 @2}"
        ),
        "c1[T-3 T2-2,3 T3-3] c2[T-0 T2-0 T-1 T2-1] c3[T3-0,1 T-2 T3-2]",
    ),
    (
        "conflicting generations, c1 on T",
        "T:4 T2:4 T3:4",
        "c1{T; T-0..3 @1} c2{T T2; T-0,1 T2-0..3 @2} c3{T T2 T3; T-2,3 T3-0..3 @2}",
        "c1[T-0..3] c2[T2-0..3] c3[T3-0..3]",
    ),
]

RACKS = [
    each
    for each in scenarios()
    if each.assignor == "cooperative-sticky" and re.search(r", \d:\S+/\S+$", each.name)
]
"""Rack scenarios; those in which nothing is owned are asked again with their own answer as what is
owned.
"""

SETTLED = {
    "equal, owned, one replica, 1:abc/abc": (
        "consumer0[t1-0,3 t2-0,3,6] consumer1[t1-1,4 t2-1,4 t3-0] consumer2[t1-2,5 t2-2,5 t3-1]"
    ),
    "unequal, owned, one replica, 1:abc/abc": (
        "consumer0[t1-3 t2-0,2,3,6] consumer1[t1-4 t2-1,4,5 t3-0] consumer2[t1-0,1,2,5 t3-1]"
    ),
    "unequal, owned, three replicas, 3:abc/abc": (
        "consumer0[t1-2,3,4 t2-4,5] consumer1[t2-0..3,6] consumer2[t1-0,1,5 t3-0,1]"
    ),
}


def group(topics, members):
    return notation.document(notation.in_full(topics), notation.in_full(members))


def given(text):
    return as_sets(notation.answer(notation.in_full(text)))


@pytest.mark.parametrize(
    "scenario", [each for each in scenarios() if each.assignor in BOTH], ids=str
)
def test_a_scenario_of_kafkas_tests_ends_otherwise(scenario):
    answer = ask(scenario.assignor, scenario.group)

    assert scenario.agrees_with(answer), answer


@pytest.mark.parametrize("family", [vectors.racks, vectors.sticky])
def test_middle_sized_groups_get_kafkas_digests(family):
    differing = [name for name, found, expected in family(ask) if found != expected]

    assert differing == []


@pytest.mark.parametrize(
    "name",
    [name for name in STICKY if name in COOPERATIVE and "Q-5" not in name and ", " not in name],
)
def test_cooperative_rounds_end_where_sticky_ends_at_once(name):
    result = rounds(snapshot_of(COOPERATIVE[name].group), ASSIGNORS["cooperative-sticky"]())

    assert result.is_settled
    assert len(result.rounds) <= 3
    assert by_name(result.rounds[-1]) == as_sets(STICKY[name].answer)


def by_name(last):
    held = {}
    for member, topic, partition in held_rows(last.group, last.assignment).tolist():
        held.setdefault(last.group.member_id[member], {}).setdefault(
            last.group.topic_name[topic], set()
        ).add(partition)
    return held


@pytest.mark.parametrize("generations", ["".join(order) for order in permutations("123")])
def test_three_generations_claim_one_partition(generations):
    first, second, third = generations
    document = group(
        "T:6 T1:1",
        f"c1{{T; T-0,2 @{first}}} c2{{T; T-1,2,3 @{second}}} c3{{T; T-2,4,5 @{third}}} c4{{T1; T1-0"
        " @2}",
    )

    answer = as_sets(ask("sticky", document)["assignment"])

    assert answer == next(
        given(expected) for cases, expected in GENERATIONS.items() if generations in cases.split()
    )


@both
@pytest.mark.parametrize(
    ("topics", "members", "expected"),
    [
        (
            "t:20",
            "c1{t} c2{t} c3{t} c4{t} c5{t} c6{t} c7{t} c8{t} c9{t}",
            (
                "c1[t-0,9,18] c2[t-1,10,19] c3[t-2,11] c4[t-3,12] c5[t-4,13] c6[t-5,14] c7[t-6,15]"
                " c8[t-7,16] c9[t-8,17]"
            ),
        ),
        ("t1:1 t2:1 t3:1 t4:1", "c0{} c1{t1} c2{t2 t3 t4}", "c0[-] c1[t1-0] c2[t2-0 t3-0 t4-0]"),
        ("t1:1 t2:1 t3:1 t4:1", "c0{t1} c1{t1} c2{t2 t3 t4}", "c0[t1-0] c1[-] c2[t2-0 t3-0 t4-0]"),
    ],
    ids=["ReassignmentAfterOneConsumerAdded", "NewSubscription", "NewSubscription, then"],
)
def test_a_new_group_of_kafkas_tests_ends_otherwise(name, topics, members, expected):
    answer = ask(name, notation.document(topics, members))

    assert as_sets(answer["assignment"]) == as_sets(notation.answer(expected))


@pytest.mark.parametrize(
    ("topics", "members", "expected"),
    [each[1:] for each in MULTIPLE_GENERATIONS],
    ids=[each[0] for each in MULTIPLE_GENERATIONS],
)
def test_claims_of_several_generations_end_otherwise(topics, members, expected):
    answer = ask("sticky", group(topics, members))

    assert as_sets(answer["assignment"]) == given(expected)


def test_what_conflicting_generations_move_is_withheld():
    _, topics, members, _ = next(
        each for each in MULTIPLE_GENERATIONS if each[0] == "conflicting generations"
    )

    answer = ask("cooperative-sticky", group(topics, members))

    assert "consumer1" not in as_sets(answer["assignment"])
    assert as_sets(answer["withheld"]) == given("c1[T-3 T2-2,3 T3-3]")


def test_partitions_in_the_other_rack_change_places_in_the_second_round():
    document = group("T1:4", "c0^a{T1; T1-0,1 @1} c1^b{T1; T1-2,3 @1}")
    document["topics"][0]["partitions"] = [{"racks": [rack]} for rack in "abab"]

    answer = ask("cooperative-sticky", document)

    assert as_sets(answer["assignment"]) == given("c0[T1-0] c1[T1-3]")
    assert as_sets(answer["withheld"]) == given("c0[T1-2] c1[T1-1]")


def test_cooperative_withholds_what_a_member_that_is_gone_does_not_own_any_more():
    answer = ask(
        "cooperative-sticky", group("T:6 T2:6", "c1{T T2; T2-0,2,4 T-3 @1} c2{T; T-0,1,2,4 @1}")
    )

    assert as_sets(answer["assignment"]) == given("c1[T2-0..5] c2[T-0,1,2,4,5]")
    assert as_sets(answer["withheld"]) == given("c2[T-3]")


@pytest.mark.parametrize("generations", ["132", "231"])
def test_three_generations_take_two_cooperative_rounds(generations):
    first, second, third = generations
    document = group(
        "T:6 T1:1",
        f"c1{{T; T-0,2 @{first}}} c2{{T; T-1,2,3 @{second}}} c3{{T; T-2,4,5 @{third}}} c4{{T1; T1-0"
        " @2}",
    )

    answer = ask("cooperative-sticky", document)

    assert as_sets(answer["assignment"]) == given("c1[T-0] c2[T-2,3] c3[T-4,5] c4[T1-0]")


@both
@pytest.mark.parametrize("seed", range(3))
def test_many_members_that_leave_a_group_of_random_subscriptions_leave_a_valid_answer(name, seed):
    random = Random(seed)
    topics = {f"t{number:02}": random.randint(1, 10) for number in range(40)}
    document = vectors.group_of(
        topics,
        {
            f"c{number:03}": random.choices(list(topics), k=random.randint(1, 19))
            for number in range(200)
        },
    )
    after = vectors.rebalanced(document, ask(name, document))
    after["members"] = random.sample(after["members"], 150)

    result = rounds(snapshot_of(after), ASSIGNORS[name]())

    check_valid_and_even(after, by_name(result.rounds[-1]))


@both
@pytest.mark.parametrize("seed", range(20))
def test_random_subscriptions_and_their_change_give_a_valid_answer_as_even_as_it_can_be(name, seed):
    random = Random(seed)
    topics = [f"t{number:02}" for number in range(random.randint(10, 19))]
    members = [
        {
            "member_id": f"c{number:02}",
            "subscribed": sorted(random.sample(topics, random.randint(1, len(topics)))),
        }
        for number in range(random.randint(20, 39))
    ]
    document = {
        "format": "evenkeel.group/1",
        "topics": [
            {"name": topic, "partitions": number + 1} for number, topic in enumerate(topics)
        ],
        "members": members,
    }
    first = ask(name, document)
    changed = vectors.rebalanced(document, first)
    for member in changed["members"]:
        member["subscribed"] = sorted(random.sample(topics, random.randint(1, len(topics))))
    result = rounds(snapshot_of(changed), ASSIGNORS["cooperative-sticky"]())

    for asked, held in (
        (document, as_sets(first["assignment"])),
        (changed, by_name(result.rounds[-1])),
    ):
        check_valid_and_even(asked, held)


def check_valid_and_even(document, held):
    subscribed = {member["member_id"]: set(member["subscribed"]) for member in document["members"]}
    sizes = {member: sum(map(len, held.get(member, {}).values())) for member in subscribed}
    owners = [
        (topic, number)
        for topics in held.values()
        for topic, numbers in topics.items()
        for number in numbers
    ]
    assert len(owners) == len(set(owners))
    assert all(topics.keys() <= subscribed[member] for member, topics in held.items())
    for one in held:
        for other in held:
            assert sizes[one] - sizes[other] <= 1 or not held[one].keys() & held[other].keys()


@pytest.mark.parametrize("scenario", [each for each in RACKS if "owned" not in each.name], ids=str)
def test_what_a_rack_scenario_gives_stays_where_it_is(scenario):
    after = vectors.rebalanced(
        scenario.group, ask(scenario.assignor, scenario.group), generation=None
    )

    assert scenario.agrees_with(ask(scenario.assignor, after))


@pytest.mark.parametrize("scenario", [each for each in RACKS if each.name in SETTLED], ids=str)
def test_a_rack_scenario_with_owners_ends_in_the_second_round(scenario):
    result = rounds(snapshot_of(scenario.group), ASSIGNORS["cooperative-sticky"]())

    assert len(result.rounds) == 2
    assert by_name(result.rounds[-1]) == as_sets(notation.answer(SETTLED[scenario.name]))


def test_every_rack_scenario_with_owners_is_asked_for_its_end():
    assert {each.name for each in RACKS if "owned" in each.name} == SETTLED.keys()
