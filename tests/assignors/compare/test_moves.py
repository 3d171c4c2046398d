import numpy as np
from hypothesis import given

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.compare.moves import moves_between
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from tests.assignors.groups import assignment, group
from tests.generated.owners import groups_with_owners

NOBODY = "–"


def listed(snapshot, moves) -> list[str]:
    """Spell each move: `t0-1 A→B 5`."""
    name = [*snapshot.member_id, NOBODY]
    rows = zip(
        moves.topic,
        moves.partition,
        moves.from_member,
        moves.to_member,
        moves.lag.tolist(),
        strict=False,
    )
    return [
        f"{snapshot.topic_name[topic]}-{partition} {name[before]}→{name[after]}"
        f" {NOBODY if lag == UNKNOWN_LAG else lag}"
        for topic, partition, before, after, lag in rows
    ]


def moved(snapshot, owned, assigned):
    return moves_between(
        assignment(snapshot, **owned),
        assignment(snapshot, **assigned),
        snapshot,
        page_lag(snapshot),
    )


def test_each_partition_is_retained_moved_added_or_revoked():
    snapshot = group({"t0": 3, "t1": 2}, A="t0 t1", B="t0 t1", lag=[1, 2, 4, None, 16])

    moves = moved(snapshot, {"A": "t0-0 t0-1 t1-0"}, {"A": "t0-0 t1-1", "B": "t0-1"})

    assert listed(snapshot, moves) == ["t0-1 A→B 2", "t1-0 A→– –", "t1-1 –→A 16"]
    assert (moves.retained_count, moves.moved_count, moves.added_count, moves.revoked_count) == (
        1,
        1,
        1,
        1,
    )
    assert moves.moved_lag == 2
    assert [column.tolist() for column in moves.added] == [[1, 1], [16, 2], [0, 0]]
    assert [column.tolist() for column in moves.revoked] == [[2, 0], [2, 0], [1, 0]]
    assert [column.tolist() for column in moves.retained] == [[1, 0], [1, 0], [0, 0]]


def test_the_matrix_has_nobody_last_and_what_members_keep_on_the_diagonal():
    snapshot = group({"t0": 3, "t1": 2}, A="t0 t1", B="t0 t1", lag=[1, 2, 4, None, 16])

    counts, lags = moved(
        snapshot, {"A": "t0-0 t0-1 t1-0"}, {"A": "t0-0 t1-1", "B": "t0-1"}
    ).matrix()

    assert counts.tolist() == [[1, 1, 1], [0, 0, 0], [1, 0, 0]]
    assert lags.tolist() == [[1, 2, 0], [0, 0, 0], [16, 0, 0]]


def test_flows_add_up_what_goes_from_one_member_to_another():
    snapshot = group({"t0": 5}, A="t0", B="t0", lag=[1, 2, None, 8, 16])

    flows = moved(
        snapshot, {"A": "t0-0 t0-1 t0-2 t0-3"}, {"A": "t0-3 t0-4", "B": "t0-0 t0-1 t0-2"}
    ).flows()

    assert (flows.from_member.tolist(), flows.to_member.tolist()) == ([-1, 0], [0, 1])
    assert [column.tolist() for column in flows.load] == [[1, 3], [16, 3], [0, 1]]


def test_moved_lag_is_unknown_where_the_lag_of_nothing_that_moves_is_known():
    snapshot = group({"t0": 3}, A="t0", B="t0", lag=[None, 3, None])
    owned = {"A": "t0-0 t0-1 t0-2"}

    assert moved(snapshot, owned, {"A": "t0-1 t0-2", "B": "t0-0"}).moved_lag is None
    assert moved(snapshot, owned, {"A": "t0-2", "B": "t0-0 t0-1"}).moved_lag == 3
    assert moved(snapshot, owned, owned).moved_lag == 0


def test_owners_of_one_partition_are_paired_so_that_each_who_keeps_it_is_retained():
    snapshot = group({"t0": 2}, A="t0", B="t0", C="t0", D="t0", lag=[5, 1])

    moves = moved(
        snapshot,
        {"A": "t0-0 t0-7", "B": "t0-0", "C": "t0-0 t0-1"},
        {"B": "t0-0", "D": "t0-0 t0-1 t0-7"},
    )

    assert listed(snapshot, moves) == ["t0-0 A→D 5", "t0-0 C→– 5", "t0-1 C→D 1", "t0-7 A→D –"]
    assert moves.retained.partition_count.tolist() == [0, 1, 0, 0]


@given(groups_with_owners(2))
def test_load_after_is_load_before_plus_added_minus_revoked_and_the_matrix_adds_up(drawn):
    snapshot, (owned, assigned) = drawn
    lag = page_lag(snapshot)
    before, after = balance(snapshot, owned, lag), balance(snapshot, assigned, lag)

    moves = moves_between(owned, assigned, snapshot, lag)

    for column in ("partition_count", "lag", "unknown_lag_count"):
        added, revoked, retained = (
            getattr(load, column) for load in (moves.added, moves.revoked, moves.retained)
        )
        assert (getattr(after, column) - getattr(before, column)).tolist() == (
            added - revoked
        ).tolist()
        assert getattr(before, column).tolist() == (retained + revoked).tolist()
    counts, lags = moves.matrix()
    assert (counts.sum(axis=1)[:-1].tolist(), counts.sum(axis=0)[:-1].tolist()) == (
        before.partition_count.tolist(),
        after.partition_count.tolist(),
    )
    assert (lags.sum(axis=1)[:-1].tolist(), lags.sum(axis=0)[:-1].tolist()) == (
        before.lag.tolist(),
        after.lag.tolist(),
    )
    assert moves.moved_count + moves.added_count + moves.revoked_count == moves.topic.size


@given(groups_with_owners(1))
def test_nothing_changes_between_an_assignment_and_itself(drawn):
    snapshot, (owned,) = drawn

    moves = moves_between(owned, owned, snapshot, page_lag(snapshot))

    assert moves.topic.size == 0
    assert (
        moves.retained.partition_count.tolist()
        == balance(snapshot, owned, page_lag(snapshot)).partition_count.tolist()
    )


@given(groups_with_owners(2))
def test_going_back_is_the_same_moves_the_other_way(drawn):
    snapshot, (owned, assigned) = drawn
    lag = page_lag(snapshot)

    there, back = (
        moves_between(owned, assigned, snapshot, lag),
        moves_between(assigned, owned, snapshot, lag),
    )

    for column in ("topic", "partition", "lag"):
        assert np.array_equal(getattr(there, column), getattr(back, column))
    assert there.from_member.tolist() == back.to_member.tolist()
    assert there.to_member.tolist() == back.from_member.tolist()


def test_what_a_round_withholds_is_handed_out_to_whom_it_is_for():
    first_round = Assignment(
        np.array([0, -1, 1], dtype=np.int32), withheld=np.array([[1, 1]], dtype=np.int32)
    )

    end = first_round.handed_out()

    assert end.owner.tolist() == [0, 1, 1]
    assert end.withheld.size == 0
    assert first_round.owner.tolist() == [0, -1, 1]
