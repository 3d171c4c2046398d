import pytest

from evenkeel.data.sources.console.listing import parse
from tests.data.sources.corpus import corpus, rows_of

BLUE = "pay b (blue)-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e02"
OLD = "pay c (old)-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e03"
HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


@pytest.mark.parametrize("file", ["blanks-0.8.2.txt", "blanks-0.9.0.txt", "blanks-0.10.0.txt"])
def test_blanks_in_owners_and_groups_of_old_listings_stay_in_them(file):
    offsets = corpus(file).offsets

    assert (
        rows_of(offsets, "group_id", "topic", "member_id", "client_id", "host")[1:3]
        == [("night batch", "orders", "pay b (blue)_/10.4.1.18", "pay b (blue)", "/10.4.1.18")] * 2
    )


def test_commas_at_the_ends_of_groups_and_owners_of_0_9_0_stay_in_them():
    header = "GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER\n"
    rows = (
        ", 1, t, 0, 5, 7, 2, none\n, , a, t, 1, 5, 7, 2, , b_/10.0.0.1\na, , t, 2, 5, 7, 2,"
        " a,_/10.0.0.1\n"
    )

    offsets = parse((header + rows).encode(), "f").offsets

    assert rows_of(offsets, "group_id", "partition", "member_id", "client_id") == [
        (", 1", 0, None, None),
        (", , a", 1, ", b_/10.0.0.1", ", b"),
        ("a, ", 2, "a,_/10.0.0.1", "a,"),
    ]


def test_a_row_of_0_9_0_with_nothing_for_its_group_is_rejected():
    parsed = parse(
        b"GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER\n, t, 0, 5, 7, 2,"
        b" none\n",
        "f",
    )

    assert parsed.row_count == 0
    assert parsed.rejected["reason"].to_pylist() == ["GROUP is empty, expected a name"]


@pytest.mark.parametrize(
    "file", ["blanks-0.10.2.txt", "blanks-2.0.txt", "blanks-2.3.txt", "blanks-4-verbose.txt"]
)
def test_blanks_in_client_ids_member_ids_and_groups_stay_in_them(file):
    parsed = corpus(file)
    group = None if file in ("blanks-0.10.2.txt", "blanks-2.0.txt") else "night batch"

    rows = rows_of(parsed.offsets, "group_id", "topic", "member_id", "client_id", "host")
    assert rows[1:3] == [(group, "orders", BLUE, "pay b (blue)", "/10.4.1.18")] * 2
    assert rows_of(parsed.members, "group_id", "member_id", "client_id", "owned") == [
        (group, OLD, "pay c (old)", [])
    ]


def test_two_blanks_inside_a_name_stay_two():
    row = "my  group orders 0 5 7 2 pay  b-1 /10.0.0.1 pay  b\n"

    offsets = parse((HEADER + row).encode(), "f").offsets

    assert rows_of(offsets, "group_id", "member_id", "client_id") == [
        ("my  group", "pay  b-1", "pay  b")
    ]


@pytest.mark.parametrize(
    "row",
    [
        "g t 1 2 3 1 2 3 1 b-1 /10.0.0.1 b",  # the numbers could be the first four or the next
        "g t 0 5 7 2 a /10.0.0.1 a-1 /10.0.0.2 a /10.0.0.1 a",  # three hosts
        "g - - - - - - a b-1 /10.0.0.1 a b",  # one dash too many for an idle member
    ],
)
def test_a_row_that_can_be_cut_in_two_ways_is_rejected(row):
    parsed = parse((HEADER + row + "\n").encode(), "f")

    assert parsed.row_count == 0
    assert parsed.rejected["reason"].to_pylist() == [
        "can be cut in several ways and is not aligned with its header, expected 9 columns: "
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    ]


def test_a_row_that_can_be_cut_in_two_ways_is_read_where_it_stands_under_its_header():
    header = (
        "GROUP     TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST     "
        " CLIENT-ID\n"
    )
    row = "a 1 2 3 1 2     3         1              2              1   b-1         /10.0.0.1 b\n"

    offsets = parse((header + row).encode(), "f").offsets

    assert rows_of(offsets, "group_id", "topic", "partition", "committed_offset") == [
        ("a 1 2 3 1", "2", 3, 1)
    ]


def test_an_empty_client_id_is_not_known_and_moves_no_column():
    header = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST      CLIENT-ID\n"
    )
    row = "g     t     0         5              7              2   a b-1       /10.0.0.1 \n"

    offsets = parse((header + row).encode(), "f").offsets

    assert rows_of(offsets, "member_id", "host", "client_id") == [("a b-1", "/10.0.0.1", None)]


def test_names_in_any_script_are_kept_and_columns_are_counted_as_java_counts_them():
    offsets = corpus("utf8-names.txt").offsets

    assert rows_of(offsets, "group_id", "client_id") == [
        ("zahlung-größe", "köln 🦊"),
        ("zahlung-größe", "東京"),
    ]


def test_formulas_and_html_are_plain_names():
    offsets = corpus("formula-and-html-names.txt").offsets

    assert rows_of(offsets, "group_id", "topic", "client_id") == [
        ("=cmd|'/c calc'!A1", "=cmd()", "=1+1"),
        ("=cmd|'/c calc'!A1", "<img src=x onerror=alert(1)>", "<b>pay</b>"),
        ("=cmd|'/c calc'!A1", "<script>alert(1)</script>", None),
    ]


def test_ipv6_hosts_and_hosts_without_slash_are_kept_as_printed():
    assert corpus("ipv6-hosts.txt").offsets["host"].to_pylist() == [
        "/0:0:0:0:0:0:0:1",
        "/fe80:0:0:0:42:acff:fe11:2%eth0",
    ]
    assert corpus("hosts-without-slash.txt").offsets["host"].to_pylist() == [
        "10.4.1.17",
        "ip-10-4-1-18.internal/10.4.1.18",
        None,
    ]
