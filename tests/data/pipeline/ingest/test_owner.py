"""The current assignment, where only members tell it."""

from evenkeel.data.pipeline.ingest.owner import with_owner


def owners(lag):
    return {(row.topic, row.partition): row.member_id for row in lag.collect()}


def test_a_partition_without_owner_belongs_to_the_member_that_claims_it(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0}, {"group_id": "g", "topic": "t", "partition": 1})
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [1])]}, {"group_id": "g"})

    assert owners(with_owner(lag, members)) == {("t", 0): None, ("t", 1): "A"}


def test_an_owner_that_the_listing_prints_stays(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0, "member_id": "B"})
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [0])]})

    assert owners(with_owner(lag, members)) == {("t", 0): "B"}


def test_what_a_member_has_counts_before_what_it_will_have(frame):
    lag = frame("LAG", *({"group_id": "g", "topic": "t", "partition": number} for number in range(2)))
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A", "current": [("t", [0])], "owned": [("t", [1])]})

    assert owners(with_owner(lag, members)) == {("t", 0): "A", ("t", 1): None}


def test_two_claims_of_one_partition_make_one_row(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0})
    members = frame("MEMBERS", *({"group_id": "g", "member_id": member, "owned": [("t", [0])]} for member in "BA"))

    assert [row.member_id for row in with_owner(lag, members).collect()] == ["A"]


def test_a_claim_counts_in_its_own_group_only(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0}, {"topic": "t", "partition": 0})
    members = frame("MEMBERS", {"member_id": "A", "owned": [("t", [0])]})

    found = {row.group_id: row.member_id for row in with_owner(lag, members).collect()}

    assert found == {"g": None, None: "A"}


def test_all_columns_stay_in_their_order(frame):
    lag = frame("LAG", {"group_id": "g", "topic": "t", "partition": 0})

    assert with_owner(lag, frame("MEMBERS")).columns == lag.columns
