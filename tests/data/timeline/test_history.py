"""`evenkeel history`."""

import json
import time
from datetime import datetime

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.example import PLACE
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """A quarter of a day of three groups: one with a stalled member, one with a hot partition, one
    that flaps.
    """
    place = place_of(tmp_path_factory.mktemp("history") / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=8, members=4, days=0.25))
    return place.url


LAST = datetime.fromisoformat("2026-11-02T05:59:30.700+00:00").timestamp()


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The last snapshot is 20 seconds old; return how to make it older."""

    def stands_at(age: float) -> None:
        monkeypatch.setattr(time, "time", lambda: LAST + age)

    stands_at(20)
    return stands_at


def told(capsys, *arguments) -> dict:
    assert main(["history", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_stalled_member_is_named_with_the_time(lake, capsys):
    found = told(capsys, "--lake", lake, "--group", "group-0000")

    assert found["verdict"] == "STALL"
    assert [one["verdict"] for one in found["members"]] == ["OK", "OK", "OK", "STALL"]
    assert {
        (one["owner"], one["verdict"]) for one in found["partitions"] if one["verdict"] != "OK"
    } == {("member-3-4b1e", "STALL")}
    assert found["at"] == "2026-11-02T05:59:30.700Z"
    stalls = [
        one for one in found["events"] if one["kind"] == "verdict" and "to STALL" in one["what"]
    ]
    assert "2026-11-02T05:39" < stalls[-1]["at"] < "2026-11-02T05:45"


def test_each_assignor_has_a_band_or_never_ends(lake, capsys):
    found = told(capsys, "--lake", lake, "--group", "group-0000", "--cluster", "simulated")

    assert {"current", "range", "roundrobin", "sticky", "cooperative-sticky", "lag"} <= {
        one["assignor"] for one in found["drains"]
    }
    assert all(
        one["never"] or one["seconds"]["p5"] <= one["seconds"]["p50"] for one in found["drains"]
    )


def test_a_member_that_gets_more_than_it_can_read_never_ends_and_what_is_missing_stands_beside_it(
    lake, capsys
):
    found = told(capsys, "--lake", lake, "--group", "group-0001")

    missing = found["drains"][0].pop("missing_rate")
    assert found["drains"][0] == {"assignor": "current", "seconds": None, "never": True}
    comes, reads = (
        sum(one[rate] for one in found["partitions"]) for rate in ("in_rate", "out_rate")
    )
    assert missing == pytest.approx(comes - reads, rel=0.3)


def test_members_and_partitions_have_a_drain_time_each_and_the_slowest_one_decides(lake, capsys):
    stalled, overloaded = (
        told(capsys, "--lake", lake, "--group", group) for group in ("group-0002", "group-0001")
    )

    for found in (stalled, overloaded):
        for member in found["members"]:
            mine = [one for one in found["partitions"] if one["owner"] == member["member_id"]]
            assert member["never"] == any(one["never"] for one in mine)
            assert member["never"] or member["drain_seconds"] == max(
                one["drain_seconds"] for one in mine
            )
    assert [one["never"] for one in overloaded["members"]] == [False, False, False, True]


def test_the_diagnosis_is_of_the_last_slot_and_one_five_minutes_before(lake, capsys):
    found = told(capsys, "--lake", lake, "--group", "group-0000")["diagnosis"]

    assert (found["code"], found["class"], found["severity"]) == ("stalled", "need", "warning")
    assert found["text"].startswith("member-3-4b1e has read nothing in 300 s: ")


@pytest.mark.parametrize(
    ("group", "findings"),
    [
        # The headline is in `diagnosis`.
        ("invoice-writer", []),
        (
            "thumbnails",
            [
                {
                    "kind": "idle",
                    "what": "thumbnails-5 (10.20.7.21) has no partition: 1 member of the group"
                    " can never get a partition.",
                }
            ],
        ),
        (
            "notifier",
            [
                {
                    "kind": "unstable",
                    "what": "notifier-2 left and came back 6 times in 35 m, every 7 m; 6"
                    " rebalances meanwhile.",
                }
            ],
        ),
    ],
)
def test_findings_are_the_notes_of_the_diagnosis_and_the_members_that_leave_again_and_again(
    capsys, group, findings
):
    assert told(capsys, "--lake", PLACE.url, "--group", group)["findings"] == findings


def test_flapping_owners_are_told(lake, capsys):
    found, flaps = (
        told(capsys, "--lake", lake, "--group", group) for group in ("group-0000", "group-0002")
    )

    assert all(one["owner_changes_an_hour"] == 0 for one in found["partitions"])
    # Ten rebalances in six hours, each of which hands every partition to the next of four members.
    assert {round(one["owner_changes_an_hour"], 2) for one in flaps["partitions"]} == {1.67}
    assert {one["owner_returns"] for one in flaps["partitions"]} == {0}


def test_rates_time_lags_and_owners_of_partitions_are_told(lake, capsys):
    found = told(capsys, "--lake", lake, "--group", "group-0001")
    hot = found["partitions"][-1]

    assert (hot["topic"], hot["partition"], hot["owner"], hot["completeness"]) == (
        "topic-0001",
        7,
        "member-3-4b1e",
        1.0,
    )
    assert hot["in_rate"] == pytest.approx(100, rel=0.1)
    assert hot["lag_seconds_method"] == "interpolated"
    assert hot["lag_seconds"] == pytest.approx(hot["lag"] / 100, rel=0.1)


def test_rebalances_are_events_and_a_range_can_be_named(lake, capsys):
    found = told(
        capsys,
        "--lake",
        lake,
        "--group",
        "group-0002",
        "--from",
        "2026-11-02T05:00:00Z",
        "--to",
        "2026-11-02T05:30:00Z",
    )

    assert [one["what"] for one in found["events"] if one["kind"] == "rebalance"][0].startswith(
        "The group rebalanced to generation "
    )
    assert all("2026-11-02T05:00" <= one["at"] < "2026-11-02T05:31" for one in found["events"])


def test_a_condition_that_holds_ends_with_1(lake, capsys):
    call = ["history", "--lake", lake, "--group", "group-0000", "--fail-if"]

    assert main([*call, 'verdict == "STOP"']) == 0
    assert main([*call, 'verdict == "STALL"']) == 1
    assert (
        capsys.readouterr().err
        == "evenkeel history: verdict == STALL holds for group-0000: STALL since"
        " 2026-11-02T05:41:30Z, an owner, and no progress\n"
    )
    assert main([*call, "verdict >= SLOW"]) == 1
    assert main([*call, "lag_seconds > 300"]) == 1
    assert main([*call, "lag < 10"]) == 0


def test_a_condition_that_is_none_is_refused_with_its_place(lake, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["history", "--lake", lake, "--group", "group-0000", "--fail-if", "verdict == LATE"])

    assert ended.value.code == 2
    assert (
        capsys.readouterr().err
        == "evenkeel history: argument --fail-if: found 'verdict == LATE', expected one of OK,"
        ' SLOW, REWIND, STALL, STUCK, STOP in place of "LATE"; see evenkeel history --help\n'
    )


def test_a_schedule_reads_one_line_for_each_condition_that_holds_and_nothing_else(lake, capsys):
    conditions = [
        "--fail-if",
        "verdict >= STALL",
        "--fail-if",
        "members < 9",
        "--fail-if",
        "lag < 3",
    ]

    assert main(["history", "--lake", lake, "--group", "group-0000", "--quiet", *conditions]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert [line.split(" holds for ")[1].split(":")[0] for line in told.err.splitlines()] == [
        "group-0000"
    ] * 2
    assert (
        main(["history", "--lake", lake, "--group", "group-0002", "--quiet", *conditions[:2]]) == 0
    )
    assert capsys.readouterr() == ("", "")


def test_a_last_snapshot_older_than_ten_of_its_intervals_is_not_judged_without_to(
    lake, capsys, clock
):
    """Slots are 30 s apart: the collector has stopped, and what the group does now is unknown."""
    call = [
        "history",
        "--lake",
        lake,
        "--group",
        "group-0002",
        "--quiet",
        "--fail-if",
        "verdict >= STALL",
    ]

    clock(300)
    assert main(call) == 0
    clock(23 * 60)
    assert main(call) == 2
    assert capsys.readouterr() == (
        "",
        (
            "evenkeel history: --fail-if cannot be judged: the last snapshot is of"
            " 2026-11-02T05:59:30Z, 23 m ago, more than 10 intervals between snapshots; with --to"
            " it is judged anyway\n"
        ),
    )
    assert main([*call, "--to", "2026-11-02T06:00:00Z"]) == 0
    assert main([*call, "--fail-if", "age_seconds > 600"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert (
        told[0] == "evenkeel history: age_seconds > 600 holds for group-0002: age_seconds is 1,380"
    )
    assert told[1].startswith("evenkeel history: --fail-if cannot be judged: ")
    assert main([*call[:-1], "age_seconds > 1381"]) == 0


def test_the_age_of_the_last_snapshot_is_told(lake, capsys, clock):
    clock(83.04)

    assert told(capsys, "--lake", lake, "--group", "group-0000")["age_seconds"] == 83.0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["--group", "payments"],
            "has no group 'payments' in this range, found group-0000, group-0001, group-0002\n",
        ),
        (["--group", "group-0000", "--cluster", "other"], "--cluster other: "),
        (
            ["--group", "group-0000", "--from", "2027-01-01"],
            "/lake has no snapshot of cluster simulated from 2027-01-01T00:00:00Z; "
            "it has 720 snapshots, from 2026-11-02T00:00:00Z to 2026-11-02T05:59:30Z\n",
        ),
        (
            ["--from", "2026-11-01T08:00", "--to", "2026-11-01T09:00:00+02:00"],
            "evenkeel history: --from 2026-11-01T08:00:00Z is after --to 2026-11-01T07:00:00Z; ",
        ),
    ],
)
def test_what_is_not_there_is_said_in_one_line(lake, capsys, arguments, problem):
    assert main(["history", "--lake", lake, *arguments]) == 2
    assert problem in capsys.readouterr().err


def test_a_person_reads_verdict_partitions_events_and_drains(lake, capsys):
    assert main(["history", "--lake", lake, "--group", "group-0000"]) == 0
    text = capsys.readouterr().out

    assert text.startswith("group-0000: STALL at 2026-11-02T05:59:30.700Z  (lag ")
    assert "; the last snapshot is of 2026-11-02T05:59:30Z, 20 s ago\n" in text
    assert text.splitlines()[1].startswith("member-3-4b1e has read nothing in 300 s: ")
    assert "drains in" in text
    assert "sticky" in text


def test_a_list_of_events_that_begins_later_than_the_range_says_so(lake, capsys, monkeypatch):
    monkeypatch.setattr("evenkeel.data.timeline.lines._MOST_LINES", 4)
    count = len(told(capsys, "--lake", lake, "--group", "group-0002")["events"])

    assert main(["history", "--lake", lake, "--group", "group-0002"]) == 0
    text = capsys.readouterr().out

    assert count > 4
    assert (
        f"\nthe last 4 of {count} events, from 2026-11-02T04:19:30.700Z on; --json has all\n"
        in text
    )
    assert text.count("The group rebalanced to generation") == 4


def test_a_stalled_member_has_what_is_missing_beside_never(lake, capsys):
    assert main(["history", "--lake", lake, "--group", "group-0000"]) == 0

    assert (
        "topic-0000-6 and topic-0000-7 make no progress; 33.4 records/s stay unread\n"
        in capsys.readouterr().out
    )


def test_why_a_group_never_drains_stands_once_below_the_table(lake, capsys):
    assert main(["history", "--lake", lake, "--group", "group-0001"]) == 0
    _, _, table = capsys.readouterr().out.partition("\ndrains in")
    rows, reasons = [
        [line for line in table.splitlines()[1:] if line.startswith("never (") is is_reason]
        for is_reason in (False, True)
    ]

    assert rows
    assert all(line.split()[1:] and ":" not in line and len(line) < 60 for line in rows)
    assert reasons[0].startswith("never (current")
    assert reasons[0].endswith(" records/s more come in than member-3-4b1e can read")
    assert len({line.partition(": ")[2] for line in reasons}) == len(reasons)


def test_a_narrowed_range_tells_what_the_whole_one_tells_of_it_and_no_verdict_that_is_older(
    lake, capsys
):
    """The stall of group-0000 began between 05:39 and 05:45."""
    within = ["--from", "2026-11-02T05:46:00Z", "--to", "2026-11-02T05:50:00Z"]
    whole = told(capsys, "--lake", lake, "--group", "group-0000", "--to", within[3])
    found = told(capsys, "--lake", lake, "--group", "group-0000", *within)

    assert found["events"] == [one for one in whole["events"] if one["at"] >= "2026-11-02T05:46"]
    assert [one for one in found["events"] if one["kind"] == "verdict"] == []
    assert (found["lasting_verdict"], found["since"], found["since_is_older"]) == (
        "STALL",
        whole["since"],
        False,
    )
    assert (
        found["partitions"][6]["lag_seconds_method"]
        == whole["partitions"][6]["lag_seconds_method"]
        == "interpolated"
    )
    main(["history", "--lake", lake, "--group", "group-0000", *within])
    assert " 9 snapshots)" in capsys.readouterr().out.splitlines()[0]
    assert (
        main(
            [
                "history",
                "--lake",
                lake,
                "--group",
                "group-0000",
                *within,
                "--quiet",
                "--fail-if",
                "verdict >= STALL",
            ]
        )
        == 1
    )
    assert f"STALL since {whole['since'][:19]}Z," in capsys.readouterr().err
