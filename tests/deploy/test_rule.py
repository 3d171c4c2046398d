"""The rule that runs inside groups: equal to `evenkeel assign`, and what it keeps and withholds."""

import json
from collections import Counter

import pytest
from evenkeel_assignors.rule import Member, assign, claims, keep, require_whole, without_withheld
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.compare.assign_command import answer

_TOPICS = ("orders", "payments", "a.b")
_LAGS = st.one_of(st.integers(0, 5), st.integers(0, 10**6), st.integers(0, 2**56))
# Below the surrogates and beyond them, where Java's order of texts is not Python's.
_IDS = st.text("abAB-\uffee\U0001f600", min_size=1, max_size=3)


@st.composite
def _groups(draw, unknown=False):
    """Members with subscriptions, owned partitions and generations; sizes; lags, perhaps
    not all.
    """
    partitions = {
        topic: list(range(draw(st.integers(0, 9))))
        for topic in draw(st.sets(st.sampled_from(_TOPICS)))
    }
    names = draw(st.lists(_IDS, min_size=1, max_size=6, unique=True))
    owned = st.dictionaries(
        st.sampled_from(_TOPICS), st.lists(st.integers(0, 10), max_size=6), max_size=2
    )
    members = [
        Member(
            name,
            draw(st.lists(st.sampled_from(_TOPICS), max_size=4)),
            draw(owned),
            draw(st.integers(-1, 3)),
        )
        for name in names
    ]
    lags = {
        (topic, number): draw(_LAGS) for topic, numbers in partitions.items() for number in numbers
    }
    return (
        members,
        partitions,
        {place: lag for place, lag in lags.items() if not unknown or draw(st.booleans())},
    )


def _evenkeel(members, partitions, lags):
    group = {
        "format": "evenkeel.group/1",
        "topics": [
            {"name": topic, "partitions": [{"lag": lags[topic, one]} for one in some]}
            for topic, some in partitions.items()
        ],
        "members": [
            {"member_id": one.member_id, "subscribed": list(one.subscribed)} for one in members
        ],
    }
    said = answer(json.dumps({"assignor": "lag", "group": group}).encode())
    assert said.error is None, said.error
    return said.assignment


def _places(assignment):
    return [
        (topic, number)
        for held in assignment.values()
        for topic, numbers in held.items()
        for number in numbers
    ]


def test_most_lag_goes_first_to_the_fewest_partitions_then_the_least_lag_then_the_smallest_id():
    members = [Member("b", ["t"]), Member("a", ["t"])]

    given_out = assign(
        members, {"t": [0, 1, 2, 3]}, {("t", 0): 1, ("t", 1): 9, ("t", 2): 5, ("t", 3): 5}
    )

    assert given_out == ({"b": {"t": [2, 3]}, "a": {"t": [0, 1]}}, [])


@given(_groups())
def test_the_answer_is_that_of_evenkeel_assign(group):
    assert assign(*group).assignment == _evenkeel(*group)


@given(_groups(unknown=True))
def test_each_partition_has_one_owner_who_reads_it_counts_differ_by_one_and_no_member_is_left_out(
    group,
):
    members, partitions, lags = group

    assignment = assign(members, partitions, lags).assignment

    readers = {
        topic: [one.member_id for one in members if topic in one.subscribed] for topic in partitions
    }
    expected = [
        (topic, number)
        for topic, numbers in partitions.items()
        if readers[topic]
        for number in numbers
    ]
    assert sorted(_places(assignment)) == sorted(expected)
    assert list(assignment) == [one.member_id for one in members]
    for topic, some in readers.items():
        counts = [len(assignment[member].get(topic, ())) for member in some]
        assert not counts or max(counts) - min(counts) <= 1
    assert all(
        topic in readers and member in readers[topic]
        for member, held in assignment.items()
        for topic in held
    )


@given(_groups(unknown=True))
def test_every_answer_of_the_rule_is_whole(group):
    members, partitions, lags = group

    require_whole(assign(members, partitions, lags).assignment, members, partitions)


@pytest.mark.parametrize(
    ("assignment", "wrong"),
    [
        ({"a": {"t": [0, 1]}}, "the answer is for 1 members, expected the 2 of the group"),
        ({"a": {"t": [0, 1]}, "b": {"u": [0]}}, "b has partitions of u, which it does not read"),
        (
            {"a": {"t": [0, 1]}, "b": {"t": [1]}},
            "partitions of t are missing from the answer, are in it twice or do not exist",
        ),
        (
            {"a": {"t": [0, 1]}, "b": {"t": [2]}},
            "partitions of t are missing from the answer, are in it twice or do not exist",
        ),
        (
            {"a": {"t": [0]}, "b": {}},
            "partitions of t are missing from the answer, are in it twice or do not exist",
        ),
    ],
)
def test_an_answer_that_is_not_whole_is_refused(assignment, wrong):
    with pytest.raises(ValueError, match=wrong):
        require_whole(assignment, [Member("a", ["t"]), Member("b", ["t"])], {"t": [0, 1], "u": [0]})


@given(_groups(unknown=True))
def test_only_topics_with_an_unknown_lag_are_kept(group):
    members, partitions, lags = group

    kept = assign(members, partitions, lags).kept_topics

    read = {topic for one in members for topic in one.subscribed}
    assert kept == sorted(
        topic
        for topic in read
        if any((topic, one) not in lags for one in partitions.get(topic, ()))
    )


def test_owners_keep_their_share_and_a_new_member_gets_its_own():
    assert keep(["a", "a", "a", "b", "b", "b", "b"], ["a", "b", "c"]) == [0, 0, 0, 1, 1, 2, 2]
    assert keep(["gone", None, "b"], ["a", "b"]) == [0, 0, 1]


@given(st.lists(st.sampled_from([None, "a", "b", "c", "gone"]), max_size=20))
def test_an_owner_keeps_as_many_as_its_share_allows(owners):
    readers = ["a", "b", "c"]

    kept = Counter(
        owner
        for owner, place in zip(owners, keep(owners, readers), strict=True)
        if owner == readers[place]
    )

    share, more = divmod(len(owners), len(readers))
    had = Counter(owner for owner in owners if owner in readers)
    most = sum(min(count, share) for count in had.values()) + min(
        more, sum(count > share for count in had.values())
    )
    assert kept.total() == most


def test_a_claim_counts_by_the_highest_generation_and_only_for_what_exists_and_is_read():
    members = [
        Member("old", ["t"], {"t": [0, 1, 7], "other": [0]}, 3),
        Member("new", ["t"], {"t": [0]}, 4),
        Member("same", ["t"], {"t": [1]}, 3),
    ]

    assert claims(members, {"t": [0, 1], "other": [0]}) == {
        ("t", 0): ["new"],
        ("t", 1): ["old", "same"],
    }


@given(_groups())
def test_what_moves_is_withheld_until_its_owner_has_given_it_up_and_arrives_in_the_second_round(
    group,
):
    members, partitions, lags = group
    ideal, owners = assign(members, partitions, lags).assignment, claims(members, partitions)

    first, waiting = without_withheld(ideal, owners)

    assert all(
        set(owners.get(place, ())) <= {member}
        for member in first
        for place in _places({member: first[member]})
    )
    assert waiting == len(_places(ideal)) - len(_places(first))
    second, rest = without_withheld(
        ideal,
        claims(
            [one._replace(owned=first[one.member_id], generation=9) for one in members], partitions
        ),
    )
    assert (second, rest) == (ideal, 0)
