"""The arrays of sticky and cooperative-sticky against the words of the specification, and member
ids that meet in one bucket of a Java map.
"""

from itertools import product

import msgspec
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import HASH_COLLISIONS, AssignorError
from evenkeel.assignors.group.owned import held_rows
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from tests.assignors.groups import Member, group, spelled
from tests.generated.documents import group_documents
from tests.generated.skewed_documents import skewed_documents
from tests.literal.sticky import literal_sticky

BOTH = ["sticky", "cooperative-sticky"]
both = pytest.mark.parametrize("name", BOTH)

ALIKE = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=5)]
"""32 ids of one hash code."""

OTHERS = [f"m{number}" for number in range(40)]


def snapshot_of(document):
    return observed_from_document(decode(msgspec.json.encode(document))).snapshot


def answer(name, snapshot, max_generation):
    """Return what each member gets and what is withheld from it, or the exception's name."""
    try:
        given = ASSIGNORS[name](max_generation=max_generation).assign(snapshot)
    except AssignorError as error:
        return error.java_class
    held = {member: set() for member in snapshot.member_id}
    for member, topic, partition in held_rows(snapshot, given).tolist():
        held[snapshot.member_id[member]].add((snapshot.topic_name[topic], partition))
    withheld = {}
    for member, tp in given.withheld.tolist():
        withheld.setdefault(snapshot.member_id[member], set()).add(
            (snapshot.topic_name[snapshot.tp_topic[tp]], int(snapshot.tp_partition[tp]))
        )
    return held, withheld


def literal_answer(name, snapshot, max_generation):
    try:
        held, withheld = literal_sticky(snapshot, max_generation, name == "cooperative-sticky")
    except AssignorError as error:
        return error.java_class
    return {member: set(tps) for member, tps in held.items()}, {
        member: set(tps) for member, tps in withheld.items()
    }


def require_literal_answers(document, max_generation):
    snapshot = snapshot_of(document)
    for name in BOTH:
        note(name)

        assert answer(name, snapshot, max_generation) == literal_answer(
            name, snapshot, max_generation
        )


@settings(max_examples=400)
@given(group_documents(), st.sampled_from([-1, -1, -1, 3, 5]))
def test_an_odd_group_gets_another_answer_than_by_the_specification(document, max_generation):
    require_literal_answers(document, max_generation)


@settings(max_examples=400)
@given(skewed_documents(), st.sampled_from([-1, -1, -1, 3, 5]))
def test_a_skewed_group_gets_another_answer_than_by_the_specification(document, max_generation):
    require_literal_answers(document, max_generation)


def test_a_claim_of_a_deleted_topic_counts_for_nothing():
    snapshot = group({"t": 2}, A=Member("t gone", owned="t-0 t-1 gone-1"), B="t gone")

    assert spelled(snapshot, ASSIGNORS["sticky"]().assign(snapshot)) == {"A": "t-0", "B": "t-1"}


def assumed(name, topics, members):
    return ASSIGNORS[name]().assign(group(topics, members)).assumed


def owning(count, generation=1):
    """Members that own `count` partitions each, and one that owns nothing."""
    ids = ALIKE + OTHERS
    members = {
        each: Member(
            "t",
            owned=" ".join(f"t-{number * count + step}" for step in range(count)),
            generation=generation,
        )
        for number, each in enumerate(ids)
    }
    return members | {"new": Member("t", generation=generation)}


@both
def test_who_keeps_more_depends_on_their_order(name):
    assert assumed(name, {"t": 144}, owning(2)) == (HASH_COLLISIONS,)


@both
def test_a_fresh_group_does_not_depend_on_it(name):
    assert assumed(name, {"t": 100}, dict.fromkeys(ALIKE + OTHERS, "t")) == ()


@both
def test_a_group_where_everybody_may_keep_what_it_has_does_not_depend_on_it(name):
    assert assumed(name, {"t": 146}, owning(1)) == ()


@both
def test_double_claims_depend_on_it(name):
    members = dict.fromkeys(ALIKE + OTHERS, "t") | {
        ALIKE[0]: Member("t", owned="t-0", generation=1),
        ALIKE[1]: Member("t", owned="t-0", generation=2),
    }

    assert assumed(name, {"t": 100}, members) == (HASH_COLLISIONS,)


@both
def test_an_empty_subscription_depends_on_it(name):
    assert assumed(name, {"t": 100}, dict.fromkeys(ALIKE + OTHERS, "t") | {ALIKE[0]: ""}) == (
        HASH_COLLISIONS,
    )


@both
def test_differing_subscriptions_alone_do_not_depend_on_it(name):
    members = {each: "t" if number % 2 else "t u" for number, each in enumerate(ALIKE + OTHERS)}

    assert assumed(name, {"t": 100, "u": 30}, members) == ()


@both
def test_a_small_map_that_grew_early_is_walked_as_kafka_does(name):
    """Ten of these ids meet in one bucket of sixteen. The map of subscriptions grows earlier than
    the map of what members own, so the two are walked in different orders.
    """
    ids = [
        "x798",
        "x111",
        "x1742",
        "x2501",
        "x1324",
        "x1368",
        "x1445",
        "x2167",
        "x276",
        "x2798",
        "x122",
    ]
    members = {
        each: Member("t", owned=f"t-{2 * number} t-{2 * number + 1}", generation=1)
        for number, each in enumerate(ids)
    }
    snapshot = group(
        {"t": 22}, members | dict.fromkeys(["new0", "new1", "new2"], Member("t", generation=1))
    )

    answer = ASSIGNORS[name]().assign(snapshot)

    held = spelled(snapshot, answer)
    assert {each for each in ids if len(held[each].split()) == 1} == {"x1445", "x276", "x2798"}
    assert answer.assumed == ()
