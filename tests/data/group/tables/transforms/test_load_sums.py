"""No sum of a table wraps around: what int64 does not hold is unknown."""

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as some

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import load_by_group, load_by_member, shares_of_partitions

MOST = 2**63 - 1
MEMBERS = ["A", "B", None]
lags = some.sampled_from([None, 0, 7, 2**62, 10**18, MOST])
owned = some.lists(some.tuples(some.sampled_from(MEMBERS), lags), min_size=1, max_size=30)


def table_of(rows):
    return pa.Table.from_pylist(
        [
            {"group_id": "g", "topic": "t", "partition": place, "member_id": member, "lag": lag}
            for place, (member, lag) in enumerate(rows)
        ],
        schemas.LAG,
    )


@given(owned, owned)
@example([("A", 10**18)] * 12, [("B", 0)])
@example([("A", 2**62)], [("A", 2**62)])
def test_the_sums_of_a_table_are_exact_or_unknown(first, second):
    shares = pa.concat_tables([shares_of_partitions(table_of(rows)) for rows in (first, second)])

    by_member = load_by_member(shares)
    (of_group,) = load_by_group(by_member).to_pylist()

    for row in (*by_member.to_pylist(), of_group):
        said = [
            lag
            for member, lag in (*first, *second)
            if "member_id" not in row or member == row["member_id"]
        ]
        known = [lag for lag in said if lag is not None]
        if not row["unknown_lag_count"]:
            assert (row["lag"], row["partition_count"]) == (sum(known), len(known))
        elif sum(known) <= MOST:
            assert (row["lag"], row["unknown_lag_count"]) == (
                sum(known) if known else None,
                len(said) - len(known),
            )
        else:
            assert row["lag"] is None or 0 <= row["lag"] <= sum(known)
        assert (row["lag"] is None) == (row["unknown_lag_count"] == row["partition_count"] > 0)
