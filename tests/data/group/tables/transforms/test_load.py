"""What each member and each group carries."""

import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import (
    load_by_group,
    load_by_member,
    shares_of_members,
    shares_of_partitions,
)


def table(name, *rows):
    return pa.Table.from_pylist(list(rows), schemas.STORED[name])


def loads(lag, members):
    return load_by_member(pa.concat_tables([shares_of_partitions(lag), shares_of_members(members)]))


def same(found, expected):
    """Compare without order; a table is equal in its columns and their types too."""
    return found.schema == expected.schema and sorted(found.to_pylist(), key=str) == sorted(
        expected.to_pylist(), key=str
    )


def lag_rows(*rows):
    return [
        {"group_id": "g", "topic": "t", "partition": place, "member_id": member, "lag": lag}
        for place, (member, lag) in enumerate(rows)
    ]


def member_rows(*rows):
    return [
        {
            "group_id": "g",
            "member_id": member,
            "partition_count": count,
            "lag": lag,
            "unknown_lag_count": unknown,
        }
        for member, count, lag, unknown in rows
    ]


def test_a_member_carries_the_sum_of_the_known_lags_of_its_partitions():
    lag = table("LAG", *lag_rows(("A", 10), ("B", 7), ("A", None), ("A", 5)))

    load = loads(lag, table("MEMBERS"))

    assert same(load, table("MEMBER_LOAD", *member_rows(("A", 3, 15, 1), ("B", 1, 7, 0))))


def test_an_idle_member_has_0_partitions_and_lag_0():
    members = table(
        "MEMBERS", {"group_id": "g", "member_id": "A"}, {"group_id": "g", "member_id": "C"}
    )

    load = loads(table("LAG", *lag_rows(("A", 10))), members)

    assert same(load, table("MEMBER_LOAD", *member_rows(("A", 1, 10, 0), ("C", 0, 0, 0))))


def test_the_lag_of_a_member_is_null_where_none_of_its_partitions_has_a_known_one():
    load = loads(table("LAG", *lag_rows(("A", None), ("A", None))), table("MEMBERS"))

    assert same(load, table("MEMBER_LOAD", *member_rows(("A", 2, None, 2))))


def test_partitions_that_nobody_owns_are_the_row_without_member():
    load = loads(table("LAG", *lag_rows((None, 771), ("A", 1))), table("MEMBERS"))

    assert same(load, table("MEMBER_LOAD", *member_rows((None, 1, 771, 0), ("A", 1, 1, 0))))


def test_partitions_of_a_topic_that_is_known_by_size_alone_count_for_their_owner():
    members = table(
        "MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [0]), ("sized", [0, 1])]}
    )

    load = loads(table("LAG", *lag_rows(("A", 7))), members)

    assert same(load, table("MEMBER_LOAD", *member_rows(("A", 3, 7, 2))))


def test_a_member_that_only_its_listing_names_has_the_partitions_printed_there():
    members = table(
        "MEMBERS",
        {"group_id": "g", "member_id": "A", "partition_count": 4},
        {"group_id": "g", "member_id": "B", "owned": [("t", [0, 1]), ("u", [2])]},
    )

    load = loads(table("LAG"), members)

    assert same(load, table("MEMBER_LOAD", *member_rows(("A", 4, None, 4), ("B", 3, None, 3))))


def test_the_same_member_id_in_two_groups_and_at_two_instants_is_counted_apart():
    lag = table(
        "LAG",
        *(
            {"group_id": group, "cluster": cluster, "member_id": "A", "lag": 1}
            for group, cluster in [("g", "east"), ("g", "west"), ("h", "east"), ("g", "east")]
        ),
    )

    counts = {
        (row["group_id"], row["cluster"]): row["partition_count"]
        for row in loads(lag, table("MEMBERS")).to_pylist()
    }

    assert counts == {("g", "east"): 2, ("g", "west"): 1, ("h", "east"): 1}


def test_groups_without_name_are_told_apart_by_their_file():
    lag = table(
        "LAG",
        *({"unnamed_in": file, "member_id": "A", "lag": 1} for file in ("a.txt", "b.txt", "b.txt")),
    )
    members = table(
        "MEMBERS",
        {"source_file": "a.txt", "member_id": "B"},
        {"source_file": "a.txt", "group_id": "g", "member_id": "B"},
    )

    load = loads(lag, members).to_pylist()

    assert {
        (row["group_id"], row["unnamed_in"], row["member_id"]): row["partition_count"]
        for row in load
    } == {
        (None, "a.txt", "A"): 1,
        (None, "b.txt", "A"): 2,
        (None, "a.txt", "B"): 0,
        ("g", None, "B"): 0,
    }


def test_a_group_is_the_sum_of_its_members_and_of_the_partitions_of_nobody():
    load = table(
        "MEMBER_LOAD",
        *member_rows(("A", 3, 15, 1), ("B", 1, 7, 0), ("C", 0, 0, 0), (None, 2, 771, 1)),
    )

    groups = load_by_group(load)

    expected = {
        "group_id": "g",
        "member_count": 3,
        "idle_members": 1,
        "partition_count": 6,
        "unassigned_count": 2,
        "unknown_lag_count": 2,
        "lag": 793,
        "max_lag": 15,
    }
    assert same(groups, table("GROUP_LOAD", expected))


def test_an_idle_member_does_not_make_the_unknown_lag_of_the_others_0():
    load = table("MEMBER_LOAD", *member_rows(("A", 2, None, 2), ("B", 0, 0, 0)))

    (group,) = load_by_group(load).to_pylist()

    assert (group["lag"], group["max_lag"]) == (None, None)


def test_a_group_of_nobody_has_no_worst_member_and_a_group_of_idle_ones_has_lag_0():
    (empty,) = load_by_group(table("MEMBER_LOAD", *member_rows((None, 2, 9, 0)))).to_pylist()
    (idle,) = load_by_group(table("MEMBER_LOAD", *member_rows(("A", 0, 0, 0)))).to_pylist()

    assert (empty["member_count"], empty["lag"], empty["max_lag"]) == (0, 9, None)
    assert (idle["idle_members"], idle["lag"], idle["max_lag"]) == (1, 0, 0)


def test_a_group_of_which_only_the_state_is_printed_has_no_known_figure_and_is_not_empty():
    state = {"group_id": "g", "group_state": "Stable"}
    document = {"group_id": "empty", "subscribed": []}

    groups = {
        group["group_id"]: group
        for group in load_by_group(
            loads(table("LAG"), table("MEMBERS", state, document))
        ).to_pylist()
    }

    figures = (
        "member_count",
        "idle_members",
        "partition_count",
        "unassigned_count",
        "unknown_lag_count",
        "lag",
        "max_lag",
    )
    assert {groups["g"][figure] for figure in figures} == {None}
    assert [groups["empty"][figure] for figure in figures] == [0, 0, 0, 0, 0, 0, None]


def test_a_state_beside_partitions_and_members_changes_none_of_their_figures():
    state, idle = (
        {"group_id": "g", "group_state": "Stable"},
        {"group_id": "g", "member_id": "B", "partition_count": 0},
    )
    lag = table("LAG", *lag_rows(("A", 5), (None, 2)))

    with_state, without = (
        load_by_group(loads(lag, table("MEMBERS", *rows))) for rows in ((state, idle), (idle,))
    )

    assert same(with_state, without)
    assert with_state["lag"].to_pylist() == [7]


def test_of_no_rows_there_are_no_loads():
    by_member = loads(table("LAG"), table("MEMBERS"))

    assert same(by_member, table("MEMBER_LOAD"))
    assert same(load_by_group(by_member), table("GROUP_LOAD"))
