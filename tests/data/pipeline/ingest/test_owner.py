"""The current assignment, where only members tell it: Spark's join of many rows, and Arrow's of
few, which answer alike.
"""

import random
from datetime import UTC, datetime

import pyarrow as pa

from evenkeel.data.group.tables.load import with_owner as with_owner_here
from evenkeel.data.lake.writing import SCHEMAS
from evenkeel.data.pipeline.ingest import on_spark


def owners(lag):
    return {(row.topic, row.partition): row.member_id for row in lag.collect()}


def with_owner(lag, members):
    """Fill in owners on Spark, and compare with what one process fills in."""
    filled = on_spark.with_owner(lag, members)
    assert (
        with_owner_here(table(lag, "LAG"), table(members, "MEMBERS")).to_pylist()
        == table(filled, "LAG").to_pylist()
    )
    return filled


def table(frame, name) -> pa.Table:
    return frame.toArrow().cast(SCHEMAS[name])


def test_a_partition_without_owner_belongs_to_the_member_that_claims_it(frame):
    lag = frame(
        "LAG",
        {"group_id": "g", "topic": "t", "partition": 0},
        {"group_id": "g", "topic": "t", "partition": 1},
    )
    members = frame(
        "MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [1])]}, {"group_id": "g"}
    )

    assert owners(with_owner(lag, members)) == {("t", 0): None, ("t", 1): "A"}


def test_an_owner_that_the_listing_prints_stays(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0, "member_id": "B"})
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [0])]})

    assert owners(with_owner(lag, members)) == {("t", 0): "B"}


def test_what_a_member_has_counts_before_what_it_will_have(frame):
    lag = frame(
        "LAG", *({"group_id": "g", "topic": "t", "partition": number} for number in range(2))
    )
    members = frame(
        "MEMBERS",
        {"group_id": "g", "member_id": "A", "current": [("t", [0])], "owned": [("t", [1])]},
    )

    assert owners(with_owner(lag, members)) == {("t", 0): "A", ("t", 1): None}


def test_two_claims_of_one_partition_make_one_row(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0})
    members = frame(
        "MEMBERS",
        *({"group_id": "g", "member_id": member, "owned": [("t", [0])]} for member in "BA"),
    )

    assert [row.member_id for row in with_owner(lag, members).collect()] == ["A"]


def test_a_claim_counts_in_its_own_group_only(frame):
    lag = frame(
        "LAG", {"group_id": "g", "topic": "t", "partition": 0}, {"topic": "t", "partition": 0}
    )
    members = frame("MEMBERS", {"member_id": "A", "owned": [("t", [0])]})

    found = {row.group_id: row.member_id for row in with_owner(lag, members).collect()}

    assert found == {"g": None, None: "A"}


def test_all_columns_stay_in_their_order(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0})

    assert with_owner(lag, frame("MEMBERS")).columns == lag.columns


def test_random_rows_with_repeated_claims_unknown_names_and_times_have_the_same_owners_by_both_ways(
    frame,
):
    chance = random.Random(8)

    def group():
        at = chance.choice([None, datetime(2026, 11, 20, 8, tzinfo=UTC)])
        names = {"group_id": chance.choice([None, "g", "ü"]), "source_file": chance.choice("ab")}
        return {"taken_at": at, "cluster": chance.choice([None, "c"]), **names}

    def held():
        topics = [
            (chance.choice("tu"), [chance.randrange(4) for _ in range(chance.randrange(4))])
            for _ in range(chance.randrange(3))
        ]
        return chance.choice([None, topics])

    def partition():
        return {
            "topic": chance.choice("tuv"),
            "partition": chance.randrange(4),
            "member_id": chance.choice([None, None, "x"]),
        }

    def member():
        return {
            "member_id": chance.choice([None, "a", "B", "b", "é", "\U0001f600", "\uffee"]),
            "current": held(),
            "owned": held(),
        }

    lag = [group() | partition() for _ in range(300)]
    lag = [row | {"unnamed_in": None if row["group_id"] else row["source_file"]} for row in lag]
    members = [group() | member() for _ in range(120)]

    filled = with_owner(frame("LAG", *lag), frame("MEMBERS", *members))

    assert len({row.member_id for row in filled.collect()}) == 8
