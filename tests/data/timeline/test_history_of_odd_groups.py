"""`evenkeel history` of groups that are odd: unknown offsets, no members, no partitions, deleted,
made anew.
"""

import json
from collections.abc import Callable

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.generated.written_slots import kept_up, members_of, restarting, write_slot

GROUP = "payments"


@pytest.fixture
def told(tmp_path, capsys) -> Callable:
    """Write slots, ask for the group; return exit code, lines of text, JSON, and what a condition
    says.
    """

    def ask(
        slots: int, rows: Callable[[int], tuple], *condition: str
    ) -> tuple[list[str], dict, int, str]:
        lake = place_of(tmp_path / "lake")
        for number in range(slots):
            write_slot(lake, number, *rows(number))
        call = ["history", "--group", GROUP, "--lake", lake.url]
        assert main(call) == 0
        text = capsys.readouterr().out.splitlines()
        assert main([*call, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        code = (
            main([*call, "--to", "2026-11-11", "--quiet", "--fail-if", *condition])
            if condition
            else 0
        )
        return text, document, code, capsys.readouterr().err

    return ask


def test_partly_unknown_offsets_are_unknown_and_said(told):
    def rows(number: int) -> tuple:
        offsets = kept_up(GROUP, number)
        offsets[1]["committed_offset"] = offsets[2]["end_offset"] = None
        return offsets, members_of(GROUP)

    text, document, code, error = told(20, rows, "lag > 5000")

    assert "lag 6 and 2 of 4 partitions unknown" in text[0]
    assert (
        text[3]
        == "No committed offset with a lag is known for 2 of 4 partitions, so they count as OK."
    )
    assert [one["lag"] for one in document["partitions"]] == [3, None, None, 3]
    assert [one["completeness"] for one in document["partitions"]] == [1.0, 0.0, 0.0, 1.0]
    assert (code, error) == (
        2,
        (
            "evenkeel history: lag > 5000 cannot be judged for payments: the lag of 2 of 4"
            " partitions is unknown\n"
        ),
    )


def test_a_group_without_members_has_stopped_and_is_never_drained(told):
    def rows(number: int) -> tuple:
        return [row | {"committed_offset": 50} for row in kept_up(GROUP, number, [None])], []

    text, document, code, error = told(20, rows, 'verdict == "STOP"')

    assert text[0].startswith("payments: STOP at ")
    assert document["members"] == []
    assert document["drains"][0] == {
        "assignor": "current",
        "seconds": None,
        "never": True,
        "missing_rate": pytest.approx(4 / 3),
    }
    assert code == 1
    assert error.startswith(
        "evenkeel history: verdict == STOP holds for payments: STOP since 2026-11-10T00:00:30Z or"
        " longer, "
    )


def test_a_group_without_partitions_says_so_and_cannot_be_judged(told):
    text, document, code, error = told(
        12, lambda number: (kept_up("other", number), members_of(GROUP)), "verdict == STOP"
    )

    assert "The last snapshot names no partition of the group." in text
    assert (document["partitions"], document["drains"], len(document["members"])) == ([], [], 2)
    assert (code, error) == (
        2,
        (
            "evenkeel history: verdict == STOP cannot be judged for payments: its last snapshot"
            " names no partition\n"
        ),
    )


def test_a_group_that_was_deleted_is_told_as_it_was_last_and_cannot_be_judged(told):
    def rows(number: int) -> tuple:
        return [
            *kept_up("other", number),
            *(kept_up(GROUP, number) if number < 12 else []),
        ], members_of(GROUP) if number < 12 else []

    text, document, code, error = told(20, rows, "lag > 5")

    assert (
        text[3] == "The group is not in the last 8 snapshots: it was deleted, or could not be read."
    )
    assert document["at"] == "2026-11-10T00:05:30.000Z"
    assert [one["kind"] for one in document["events"]] == ["gone"]
    assert code == 2
    assert error.endswith("the last snapshot, of 2026-11-10T00:09:30Z, does not have the group\n")


def test_a_group_that_was_made_anew_has_its_verdict_since_then(told):
    def rows(number: int) -> tuple:
        others = kept_up("other", number)
        if number < 12:
            return [*others, *kept_up(GROUP, number)], members_of(GROUP)
        return (
            ([*others, *kept_up(GROUP, number - 25, "CD")], members_of(GROUP, "CD"))
            if number >= 25
            else (others, [])
        )

    _, document, _, _ = told(40, rows)

    assert (document["since"], document["since_is_older"]) == ("2026-11-10T00:12:30.000Z", False)
    assert [one["kind"] for one in document["events"]] == [
        "gone",
        "joined",
        "left",
        "back",
        "restarted",
    ]


def test_a_topic_that_is_gone_is_no_partition_and_no_trouble_any_more(told):
    def rows(number: int) -> tuple:
        audit = [row | {"committed_offset": 5} for row in kept_up(GROUP, number, topic="audit")]
        return [*kept_up(GROUP, number), *(audit if number < 20 else [])], members_of(GROUP)

    _, document, code, _ = told(30, rows, "verdict >= STALL")

    assert {one["topic"] for one in document["partitions"]} == {"orders"}
    assert (
        document["verdict"],
        code,
    ) == ("OK", 0)


def test_one_snapshot_is_told_with_what_it_shows(told):
    text, document, _, _ = told(1, lambda number: (kept_up(GROUP, number), members_of(GROUP)))

    assert "1 snapshot)" in text[0]
    assert document["partitions"][0]["in_rate"] is None
    assert document["partitions"][0]["completeness"] == 0.1


def test_an_empty_lake_says_what_writes_snapshots(tmp_path, capsys):
    assert main(["history", "--group", GROUP, "--lake", str(tmp_path)]) == 2
    assert "has no snapshot: evenkeel collect writes snapshots" in capsys.readouterr().err


def test_a_cluster_that_was_renamed_has_two_histories(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    for number in range(12):
        write_slot(
            lake, number, kept_up(GROUP, number), members_of(GROUP), "old" if number < 6 else "new"
        )
    call = ["history", "--group", GROUP, "--lake", lake.url]

    assert main(call) == 2
    assert "has snapshots of new and old; choose with --cluster" in capsys.readouterr().err
    assert main([*call, "--cluster", "old", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at"] == "2026-11-10T00:02:30.000Z"


def test_rebalances_of_a_consumer_that_restarts_all_the_time_are_a_count_in_its_line(
    told,
):
    text, document, _, _ = told(24, lambda number: restarting(GROUP, number))

    assert (
        "orders-2 left and came back 23 times in 11 m, every 30 s; 23 rebalances meanwhile." in text
    )
    assert document["events"] == []
    assert not any("rebalanced" in line for line in text)
