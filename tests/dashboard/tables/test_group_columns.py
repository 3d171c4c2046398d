"""Cells of the group table: unknown is never 0, and what is hidden says so."""

from dashboard.tables.group_columns import COLUMNS

_ROW = {
    "group_id": "payments",
    "group_type": "classic",
    "state": "Stable",
    "assignor": "range",
    "member_count": 3,
    "idle_members": 0,
    "partition_count": 12,
    "lag": 100,
    "max_lag": 34,
    "worst_partition": "orders-3",
    "unknown_lag_count": 0,
    "problem": None,
    "lag_change": 0.0,
    "highest_lag": 400,
}


def _cells(**changed):
    return {column.key: column.cell(_ROW | changed) for column in COLUMNS}


def test_a_whole_row_reads_as_its_numbers():
    cells = _cells(lag_change=-3850.0, idle_members=1)

    assert {key: cell.get("text") for key, cell in cells.items()} == {
        "group": "payments",
        "worst": "orders-3",
        "bar": None,
        "lag": "100",
        "change": "−3,850",
        "unknown": "0",
        "state": "Stable",
        "members": "3",
        "partitions": "12",
        "type": "range",
    }
    assert (cells["worst"]["note"], cells["bar"]["bar"]) == ("34\u202f%", 0.5)
    assert (cells["members"]["alarm"], cells["change"]["tone"]) == ("1 idle", "better")


def test_what_is_unknown_is_a_dash_and_a_part_is_a_bound():
    counts = ("member_count", "idle_members", "partition_count", "unknown_lag_count")
    unknown = dict.fromkeys((*counts, "state", "assignor", "lag", "max_lag", "worst_partition", "lag_change"))

    cells, partly = _cells(**unknown), _cells(unknown_lag_count=3)

    assert {key: cells[key]["text"] for key in ("lag", "change", "unknown", "state", "members", "partitions", "type")} == dict.fromkeys(
        ("lag", "change", "unknown", "state", "members", "partitions", "type"), "–"
    )
    assert (partly["lag"]["text"], partly["unknown"]["text"], partly["worst"]["note"]) == ("≥ 100", "25\u202f%", "")


def test_what_cannot_be_seen_and_a_lag_that_no_member_reads_stand_in_the_row():
    assert _cells(problem="TOPIC_AUTHORIZATION_FAILED")["worst"]["text"] == "TOPIC_AUTHORIZATION_FAILED"
    assert _cells(member_count=0, state="Empty")["worst"]["text"] == "no members"
    assert _cells(member_count=0, state="Empty")["state"]["tone"] == "worse"
