"""What each member and each group carries."""

from pyspark.testing import assertDataFrameEqual

from data import schemas
from data.transforms.load import load_by_group, load_by_member, members_of


def lag_rows(*rows):
    return [{"group_id": "g", "topic": "t", "partition": place, "member_id": member, "lag": lag} for place, (member, lag) in enumerate(rows)]


def member_rows(*rows):
    return [{"group_id": "g", "member_id": member, "partition_count": count, "lag": lag, "unknown_lag_count": unknown} for member, count, lag, unknown in rows]


def test_a_member_carries_the_sum_of_the_known_lags_of_its_partitions(frame):
    lag = frame("LAG", *lag_rows(("A", 10), ("B", 7), ("A", None), ("A", 5)))

    load = load_by_member(lag, frame("MEMBERS"))

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows(("A", 3, 15, 1), ("B", 1, 7, 0))))


def test_an_idle_member_has_0_partitions_and_lag_0(frame):
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A"}, {"group_id": "g", "member_id": "C"})

    load = load_by_member(frame("LAG", *lag_rows(("A", 10))), members)

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows(("A", 1, 10, 0), ("C", 0, 0, 0))))


def test_the_lag_of_a_member_is_null_where_none_of_its_partitions_has_a_known_one(frame):
    load = load_by_member(frame("LAG", *lag_rows(("A", None), ("A", None))), frame("MEMBERS"))

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows(("A", 2, None, 2))))


def test_partitions_that_nobody_owns_are_the_row_without_member(frame):
    load = load_by_member(frame("LAG", *lag_rows((None, 771), ("A", 1))), frame("MEMBERS"))

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows((None, 1, 771, 0), ("A", 1, 1, 0))))


def test_partitions_of_a_topic_that_is_known_by_size_alone_count_for_their_owner(frame):
    members = frame("MEMBERS", {"group_id": "g", "member_id": "A", "owned": [("t", [0]), ("sized", [0, 1])]})

    load = load_by_member(frame("LAG", *lag_rows(("A", 7))), members)

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows(("A", 3, 7, 2))))


def test_a_member_that_only_its_listing_names_has_the_partitions_printed_there(frame):
    members = frame(
        "MEMBERS",
        {"group_id": "g", "member_id": "A", "partition_count": 4},
        {"group_id": "g", "member_id": "B", "owned": [("t", [0, 1]), ("u", [2])]},
    )

    load = load_by_member(frame("LAG"), members)

    assertDataFrameEqual(load, frame("MEMBER_LOAD", *member_rows(("A", 4, None, 4), ("B", 3, None, 3))))


def test_the_same_member_id_in_two_groups_and_at_two_instants_is_counted_apart(frame):
    lag = frame("LAG", *({"group_id": group, "cluster": cluster, "member_id": "A", "lag": 1} for group, cluster in [("g", "east"), ("g", "west"), ("h", "east"), ("g", "east")]))

    counts = {(row.group_id, row.cluster): row.partition_count for row in load_by_member(lag, frame("MEMBERS")).collect()}

    assert counts == {("g", "east"): 2, ("g", "west"): 1, ("h", "east"): 1}


def test_groups_without_name_are_told_apart_by_their_file(frame):
    lag = frame("LAG", *({"unnamed_in": file, "member_id": "A", "lag": 1} for file in ("a.txt", "b.txt", "b.txt")))
    members = frame("MEMBERS", {"source_file": "a.txt", "member_id": "B"}, {"source_file": "a.txt", "group_id": "g", "member_id": "B"})

    load = load_by_member(lag, members).collect()

    assert {(row.group_id, row.unnamed_in, row.member_id): row.partition_count for row in load} == {
        (None, "a.txt", "A"): 1,
        (None, "b.txt", "A"): 2,
        (None, "a.txt", "B"): 0,
        ("g", None, "B"): 0,
    }


def test_a_group_is_the_sum_of_its_members_and_of_the_partitions_of_nobody(frame):
    load = frame("MEMBER_LOAD", *member_rows(("A", 3, 15, 1), ("B", 1, 7, 0), ("C", 0, 0, 0), (None, 2, 771, 1)))

    groups = load_by_group(load)

    expected = {"group_id": "g", "member_count": 3, "idle_members": 1, "partition_count": 6, "unassigned_count": 2, "unknown_lag_count": 2, "lag": 793, "max_lag": 15}
    assertDataFrameEqual(groups.drop("members"), frame("GROUP_LOAD", expected), ignoreNullable=True)


def test_groups_carry_the_loads_of_their_members(frame):
    rows = [*member_rows(("A", 3, 15, 1), (None, 2, None, 2)), {"unnamed_in": "a.txt", "member_id": "A", "partition_count": 0, "lag": 0, "unknown_lag_count": 0}]

    found = members_of(load_by_group(frame("MEMBER_LOAD", *rows)).toArrow())

    everything = {name: None for name in schemas.MEMBER_LOAD.names}
    assert sorted(found.to_pylist(), key=str) == sorted((everything | row for row in rows), key=str)


def test_an_idle_member_does_not_make_the_unknown_lag_of_the_others_0(frame):
    load = frame("MEMBER_LOAD", *member_rows(("A", 2, None, 2), ("B", 0, 0, 0)))

    group = load_by_group(load).collect()[0]

    assert (group.lag, group.max_lag) == (None, None)


def test_a_group_of_nobody_has_no_worst_member_and_a_group_of_idle_ones_has_lag_0(frame):
    empty = load_by_group(frame("MEMBER_LOAD", *member_rows((None, 2, 9, 0)))).collect()[0]
    idle = load_by_group(frame("MEMBER_LOAD", *member_rows(("A", 0, 0, 0)))).collect()[0]

    assert (empty.member_count, empty.lag, empty.max_lag) == (0, 9, None)
    assert (idle.idle_members, idle.lag, idle.max_lag) == (1, 0, 0)


def test_the_transforms_give_the_columns_that_the_schemas_promise(frame):
    members = load_by_member(frame("LAG"), frame("MEMBERS"))

    assert members.columns == schemas.MEMBER_LOAD.names
    assert set(load_by_group(members).columns) == {*schemas.GROUP_LOAD.names, "members"}
