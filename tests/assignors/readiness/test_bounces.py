"""Bounces: who owns what after each stop and start while a group moves to the consumer protocol."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.readiness.bounces import bounces, default_order
from evenkeel.assignors.readiness.pairs import pairs
from evenkeel.assignors.rounds.mixed import EXTRA, Change
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document.building import group_document
from tests.brokers.bounces import compared, compared_again, compared_back, read

_ONE_BY_ONE = Change(ASSIGNORS["range"](), ASSIGNORS["uniform"]())


def _group(sizes, members, static=()):
    observed = observed_from_document(group_document(sizes, members))
    ids = tuple(name if name in static else None for name in observed.snapshot.member_id)
    snapshot = type(observed.snapshot)(**{**vars_of(observed.snapshot), "instance_id": ids})
    return snapshot, ASSIGNORS["range"]().assign(snapshot)


def vars_of(snapshot):
    return {name: getattr(snapshot, name) for name in snapshot.__dataclass_fields__}


def _counts(owner, members):
    return np.bincount(owner[owner >= 0], minlength=members).tolist()


def test_range_is_asked_until_the_first_member_starts_and_uniform_from_then_on():
    group, current = _group({"orders": 6, "payments": 6, "clicks": 5}, ["a", "b", "c"])

    first, second, third = bounces(group, current, _ONE_BY_ONE, [0, 1, 2])

    assert [(one.stopped.group_type, one.stopped.assignor) for one in (first, second)] == [
        ("classic", "range"),
        ("consumer", "uniform"),
    ]
    assert (first.stopped.moved, first.started.moved, first.stopped.is_certain) == (9, 5, True)
    assert sum(one.moved for one in (first, second, third)) == 36
    assert sorted(_counts(third.started.owner, 3)) == [5, 6, 6]


def test_the_brokers_range_keeps_pairs_of_topics_and_uniform_does_not():
    group, current = _group({"orders": 6, "payments": 6}, ["a", "b", "c"])

    uniform, ranges = (
        bounces(group, current, Change(ASSIGNORS["range"](), ASSIGNORS[name]()), [0, 1, 2])[
            -1
        ].started.owner
        for name in ("uniform", "broker-range")
    )

    assert [
        (one.before, one.after == one.before) for one in pairs(group, current.owner, ranges).listed
    ] == [(6, True)]
    assert pairs(group, current.owner, uniform).listed[0].after < 6


def test_many_topics_have_many_pairs_of_which_a_few_are_listed():
    group, current = _group({f"topic-{number:04d}": 2 for number in range(1_500)}, ["a", "b"])
    after = current.owner.copy()
    after[group.tps_of(1_499)] = 0

    for then in (None, after):
        found = pairs(group, current.owner, then)
        assert (found.count, found.whole, len(found.listed), len(found.topics)) == (
            1_124_250,
            1_124_250,
            20,
            1_500,
        )
    assert found.least == 1
    assert found.topics[1] == "topic-1499"
    assert found.listed[-1] == (("topic-0000", "topic-1499"), 2, 2, 1)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_pairs_are_counted_as_one_by_one(data):
    topic_count = data.draw(st.integers(2, 9))
    group, _ = _group({f"t{number}": 2 for number in range(topic_count)}, ["a", "b"])
    rows = st.lists(st.integers(-1, 1), min_size=group.tp_count, max_size=group.tp_count)
    now, then = (np.array(data.draw(rows), dtype=np.int32) for _ in range(2))
    had, has = [[some[group.tps_of(topic)] for topic in range(topic_count)] for some in (now, then)]

    found = pairs(group, now, then)

    both = [(one, other) for one in range(topic_count) for other in range(one + 1, topic_count)]
    every = {
        two: [
            int(np.sum((some[two[0]] == some[two[1]]) & (some[two[0]] >= 0))) for some in (had, has)
        ]
        for two in both
    }
    every = {two: each for two, each in every.items() if each[0]}
    whole = [each[1] for each in every.values() if each[0] == 2]
    assert (found.count, found.whole, found.least) == (
        len(every),
        len(whole),
        min(whole, default=None),
    )
    assert len(found.listed) == min(len(every), 20)
    named = {
        (group.topic_name[one], group.topic_name[other]): each
        for (one, other), each in every.items()
    }
    assert all(named[one.topics] == [one.before, one.after] for one in found.listed)


def test_nothing_moves_while_static_members_restart():
    group, current = _group({"orders": 7}, ["a", "b"], static=("a", "b"))

    found = bounces(group, current, _ONE_BY_ONE, [0, 1])

    assert [
        (one.is_static, one.stopped, one.started.moved, one.started.is_certain) for one in found
    ] == [(True, None, 0, True)] * 2
    assert all(np.array_equal(one.started.owner, current.owner) for one in found)


def test_an_extra_member_comes_first_and_goes_last():
    group, current = _group({"orders": 8}, ["a", "b"])

    first, *_, last = bounces(group, current, _ONE_BY_ONE, [0, 1], extra=True)

    assert (first.member, first.stopped, last.member, last.started) == (EXTRA, None, EXTRA, None)
    assert (first.started.owner == EXTRA).any()
    assert not (last.stopped.owner == EXTRA).any()


def test_the_only_member_leaves_an_empty_group_and_has_everything_again():
    group, current = _group({"orders": 3}, ["a"])

    (one,) = bounces(group, current, _ONE_BY_ONE, [0])

    assert (one.stopped.owner == UNASSIGNED).all()
    assert (one.started.owner == 0).all()


def test_members_with_most_partitions_go_first():
    group, current = _group({"orders": 4}, ["a", "b", "c"])

    assert default_order(group, current, [0, 1, 2]) == [0, 1, 2]
    assert default_order(group, current, [2, 1, 0]) == [0, 1, 2]


@settings(deadline=None, max_examples=25)
@given(
    st.dictionaries(st.sampled_from(["t0", "t1", "t2"]), st.integers(1, 9), min_size=1),
    st.integers(1, 4),
    st.sampled_from(["range", "roundrobin", "sticky", "cooperative-sticky"]),
    st.sampled_from(["uniform", "broker-range"]),
    st.booleans(),
)
def test_every_partition_has_an_owner_that_is_there_and_rests_in_balance(
    sizes, members, before, after, extra
):
    group, current = _group(sizes, [f"m{number}" for number in range(members)])

    found = bounces(
        group,
        current,
        Change(ASSIGNORS[before](), ASSIGNORS[after]()),
        list(range(members)),
        extra=extra,
        draws=1,
    )

    for one in found:
        if one.stopped is not None and (members > 1 or extra):
            assert (one.stopped.owner != UNASSIGNED).all()
            assert (one.stopped.owner != one.member).all()
        if one.started is not None:
            assert (one.started.owner != UNASSIGNED).all()
    if after == "uniform":
        counts = _counts(found[-1].stopped.owner if extra else found[-1].started.owner, members)
        assert max(counts) - min(counts) <= 1


# Groups of a real broker in which Java's maps decide: topic ids or member ids that share a bucket.

_RECORDED = read(Path(__file__).parents[2] / "recorded/bounces.jsonl.gz")


def _described(one):
    return f"{one.kind}, {len(one.order)} members, {one.documents[0].group_id}"


@pytest.fixture(scope="module", params=_RECORDED, ids=_described)
def steps(request):
    """Each change of a recorded group with its predictions, which take seconds."""
    return list(compared(request.param))


def test_a_recorded_group_moved_otherwise_than_predicted_for_the_ids_that_its_members_got(steps):
    assert [step.exact for step in steps] == [step.real for step in steps]
    assert all(step.real in step.told for step in steps[:2])


def test_what_was_told_as_certain_came_otherwise(steps):
    certain = [step for step in steps if step.is_certain]

    assert certain
    assert [step.told[0] for step in certain] == [step.real for step in certain]


@pytest.mark.parametrize("one", _RECORDED, ids=_described)
def test_a_group_that_was_read_again_before_a_restart_moved_otherwise_than_told(one):
    steps = list(compared_again(one))

    assert len(steps) == 2 * len(one.order) - 2
    assert all(step.real in step.told for step in steps)


@pytest.mark.parametrize("one", [one for one in _RECORDED if one.back], ids=lambda one: one.kind)
def test_a_recorded_group_went_back_otherwise_than_predicted(one):
    steps = list(compared_back(one))

    assert len(steps) == 2 * len(one.order)
    assert [told for _, told in steps] == [real for real, _ in steps]


def test_the_way_back_undoes_the_restarts_so_far_and_names_partitions_that_lose_their_owner():
    group, current = _group({"orders": 6, "payments": 6, "clicks": 5}, ["a", "b", "c"])

    found = bounces(group, current, _ONE_BY_ONE, [0, 1, 2], draws=1)

    assert [one.back.restarts for one in found] == [1, 2, 3]
    # Each undone restart moves at least what its member had: when it stops, and again when it
    # starts.
    assert all(
        5 <= one.back.left <= 6 and one.back.moved >= 2 * 5 * one.back.restarts for one in found
    )


def test_static_members_go_back_without_a_move_until_the_last_one_and_then_range_is_where_it_was():
    group, current = _group({"orders": 6, "payments": 6}, ["a", "b"], static=("a", "b"))

    assert [one.back for one in bounces(group, current, _ONE_BY_ONE, [0, 1], draws=1)] == [
        (1, 0, 6),
        (2, 0, 6),
    ]


def test_a_group_of_one_member_is_empty_between_its_protocols_and_moves_nothing_back_and_forth():
    group, current = _group({"orders": 6}, ["a"])

    (one,) = bounces(group, current, _ONE_BY_ONE, [0])

    assert (one.moved, one.back, one.started.is_certain) == (0, (1, 0, 6), True)


def test_there_is_no_way_back_to_an_unknown_classic_assignor_nor_to_another_one():
    group, current = _group({"orders": 6}, ["a", "b"])

    for change in (
        Change(None, ASSIGNORS["uniform"]()),
        Change(ASSIGNORS["range"](), ASSIGNORS["cooperative-sticky"]()),
    ):
        assert [one.back for one in bounces(group, current, change, [0, 1], draws=1)] == [
            None,
            None,
        ]
