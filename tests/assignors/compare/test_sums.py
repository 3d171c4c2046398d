"""No sum of lags wraps around: what int64 does not hold is unknown."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.compare.moves import moves_between
from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from tests.assignors.groups import assignment, group, tps
from tests.generated.owners import groups_with_owners

MOST = 2**63 - 1
huge = st.sampled_from([UNKNOWN_LAG, 0, 1, 2**32, 2**62, 10**18, MOST - 1, MOST])


def twelve():
    """All from A to B, and twelve times 10 ** 18 records behind."""
    snapshot = group({"t0": 12}, A="t0", B="t0")
    return (
        snapshot,
        [assignment(snapshot, **{name: tps("t0-0..11")}) for name in "AB"],
        np.full(12, 10**18),
    )


@st.composite
def groups_far_behind(draw):
    snapshot, owners = draw(groups_with_owners(2))
    return (
        snapshot,
        owners,
        np.array(
            draw(st.lists(huge, min_size=snapshot.tp_count, max_size=snapshot.tp_count)),
            dtype=np.int64,
        ),
    )


def rows_of(snapshot, owned, lag):
    """Spell an assignment out: (member, known lag) of each partition that a member has."""
    rows = [
        (member, int(lag[tp]))
        for tp, member in enumerate(owned.owner.tolist())
        if member != UNASSIGNED
    ]
    inside = [row for row in owned.extra.tolist() if row[2] < snapshot.partition_count[row[1]]]
    rows += [
        (member, int(lag[snapshot.first_tp[topic] + partition]))
        for member, topic, partition in inside
    ]
    return [(member, value) for member, value in rows if value != UNKNOWN_LAG]


@given(groups_far_behind())
@example(twelve())
def test_the_figures_of_an_assignment_are_exact_or_unknown(drawn):
    snapshot, assignments, lag = drawn

    for owned in assignments:
        rows, found = rows_of(snapshot, owned, lag), balance(snapshot, owned, lag)
        total, by_member = (
            sum(value for _, value in rows),
            [
                sum(value for one, value in rows if one == member)
                for member in range(snapshot.member_count)
            ],
        )

        whole = sum(value for value in lag.tolist() if value != UNKNOWN_LAG)

        if total <= MOST:
            assert found.lag.tolist() == by_member
            assert found.total_lag in (whole, None)
        else:
            assert (found.mean_lag, found.max_lag_share, found.lag_cv) == (None,) * 3
            assert found.worst_lag is None
            assert found.unknown_lag_count.tolist() == found.partition_count.tolist()


@given(groups_far_behind())
@example(twelve())
def test_the_figures_of_moves_are_exact_or_unknown(drawn):
    snapshot, (before, after), lag = drawn

    moves = moves_between(before, after, snapshot, lag)

    moved = [
        value
        for value, is_moved in zip(moves.lag.tolist(), moves.is_moved.tolist(), strict=False)
        if is_moved and value != UNKNOWN_LAG
    ]
    assert moves.moved_lag in (sum(moved), None)
    loads = [
        moves.retained.lag,
        moves.added.lag,
        moves.revoked.lag,
        moves.retained.lag + moves.added.lag,
        moves.flows().load.lag,
    ]
    assert min(int(one.min(initial=0)) for one in loads) >= 0
    counts, lags = moves.matrix()
    assert all(sum(line) <= MOST for line in lags.tolist())
    assert counts.min(initial=0) >= 0


@given(st.lists(huge, max_size=20))
def test_a_total_is_exact_or_unknown(lags):
    known = [lag for lag in lags if lag != UNKNOWN_LAG]

    found = total_lag(np.array(lags, dtype=np.int64))

    assert found == (sum(known) if sum(known) <= MOST and (known or not lags) else None)


def test_the_largest_total_that_int64_holds_is_known():
    assert total_lag(np.array([MOST - 5, 5, UNKNOWN_LAG])) == MOST
    assert total_lag(np.array([MOST - 5, 6])) is None
