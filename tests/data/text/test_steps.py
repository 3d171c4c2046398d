"""Why a partition goes to a member, in sentences, through the library and the command line."""

import json

import pytest

import evenkeel
from evenkeel.data.commands.main import main
from evenkeel.data.errors import SnapshotError


def three(**known):
    return evenkeel.group(
        {"orders": 10}, members={"a": ["orders"], "b": ["orders"], "c": ["orders"]}, **known
    )


def test_range_names_partitions_subscribers_and_the_numbers_of_the_member():
    assert three().compare("range")["range"].why("orders", 3) == (
        "orders has 10 partitions and 3 subscribers in the order a, b, c; the 1st, a, gets 0 to 3.",
    )


def test_roundrobin_names_the_member_before():
    assert three().compare("roundrobin")["roundrobin"].why("orders", 5) == (
        (
            "It was the turn of c, after b, which got the partition before; members take turns in"
            " the order a, b, c."
        ),
    )


def test_lag_names_rank_fewest_partitions_and_what_breaks_the_tie():
    lag = [5, 4, 900, 3, 7, 8, 1200, 44, 3, 1]

    assert three(lag={"orders": lag}).compare("lag")["lag"].why("orders", 5) == (
        (
            "4th by lag of the 10 partitions of orders, 8 behind; a, b, c had the fewest of these"
            " partitions, 1; c had the least lag of these members, 44."
        ),
    )


def test_sticky_says_what_stays_and_what_goes_to_whom():
    answer = three(owned={"a": {"orders": [0, 1, 2, 3, 4, 5]}, "b": {"orders": [6, 7]}}).compare(
        "sticky"
    )["sticky"]

    assert answer.why("orders", 0) == (
        "Stayed; a had 6, each member gets at least 3, a may keep 4.",
    )
    assert answer.why("orders", 5) == (
        "a does not keep it: a had 6 and may keep 4.",
        (
            "Free partitions go to members with places left (b 1, c 3), one each in turn. This"
            " is the 2nd, so it goes to c."
        ),
    )


def test_a_partition_that_does_not_exist_and_the_current_row_are_refused():
    table = three().compare("range")

    with pytest.raises(
        SnapshotError, match="no partition orders-10 in this group, expected a number from 0 to 9"
    ):
        table["range"].why("orders", 10)
    with pytest.raises(
        SnapshotError, match='no topic "gone" in this group, expected one of orders'
    ):
        table["range"].why("gone", 0)
    with pytest.raises(SnapshotError, match="current is the group's own assignment"):
        table["current"].why("orders", 0)


def test_the_command_line_says_it_below_the_table_and_in_json(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(three().to_json())
    said = (
        "orders has 10 partitions and 3 subscribers in the order a, b, c; the 2nd, b, gets 4 to 6."
    )

    assert main(["compare", str(path), "--assignor", "range", "--why", "orders:4"]) == 0
    assert capsys.readouterr().out.endswith(f"\nWhy orders-4 goes to its member\nrange\n  {said}\n")

    assert main(["compare", str(path), "--assignor", "range", "--why", "orders:4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["why"] == {"range": [said]}
