"""Histories of several groups, replayed by Spark."""

import json
from contextlib import nullcontext
from datetime import datetime

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.history.change_store import stored_history
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.written_slots import kept_up, members_of, write_slot


@pytest.fixture(autouse=True)
def open_session(spark, monkeypatch):
    """Give commands the session of all tests, which stays open."""
    monkeypatch.setattr("evenkeel.data.pipeline.session.session", lambda master: spark)
    monkeypatch.setattr("evenkeel.data.pipeline.session.stopped_after", nullcontext)


def test_each_group_is_stored_and_told_and_one_that_is_not_there_is_said(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    write_lake(lake, plan_with_trouble(groups=2, partitions=4, members=2, days=0.02))

    call = [
        "replay",
        "--group",
        "group-0000",
        "group-0001",
        "payments",
        "--lake",
        lake.url,
        "--assignor",
        "range",
        "lag",
    ]
    assert main([*call, "--json"]) == 0
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]

    assert [(one["group_id"], one["assignor"]) for one in lines] == [
        (group, name)
        for group in ("group-0000", "group-0001")
        for name in ("current", "range", "lag")
    ]
    assert (
        told.err
        == f"evenkeel replay: {lake} has no group 'payments' in this range, found group-0000,"
        " group-0001\n"
    )
    table = stored_history(lake, "REPLAY", CLUSTER, "group-0001")
    assert table.num_rows == 58 == lines[0]["snapshots"]
    assert table["assignor"][0].as_py() == [
        "current",
        "range",
        "lag",
    ]


def test_a_person_reads_a_table_of_how_each_assignor_would_have_done(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    # Range gives B the last partition alone: 2,000 behind in place of 2,030, then 4,000 in both.
    for number, lags in enumerate([(1000, 30, 2000), (500, 0, 4000)]):
        rows = [
            _behind(partition, lag, owner)
            for partition, (lag, owner) in enumerate(zip(lags, "ABB", strict=True))
        ]
        write_slot(lake, number, rows, members_of("payments"))

    assert main(["replay", "--group", "payments", "--lake", lake.url, "--assignor", "range"]) == 0

    assert capsys.readouterr().out == (
        "group     assignor  snapshots  mean max lag  largest  moved  regret  better at\n"
        "payments  current           2         3,015    4,000      0       0       0.0%\n"
        "payments  range             2         3,000    4,000      0      15      50.0%\n"
    )


def _behind(partition: int, lag: int, owner: str) -> dict:
    offsets = {"begin_offset": 0, "committed_offset": 0, "end_offset": lag}
    return {
        "group_id": "payments",
        "topic": "orders",
        "partition": partition,
        "member_id": owner,
        **offsets,
    }


def test_an_assignor_without_an_answer_has_no_figures_and_its_reason_is_said(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    for number in range(2):
        members = [
            row | {"leader": "kafkajs", "leader_certain": True} for row in members_of("payments")
        ]
        write_slot(lake, number, [_behind(0, 20, "A")], members)

    assert main(["replay", "--group", "payments", "--lake", lake.url, "--assignor", "sticky"]) == 0
    told = capsys.readouterr()

    assert told.out.splitlines()[2].split() == ["payments", "sticky", "0", "–", "–", "–", "–", "–"]
    assert told.err.startswith("evenkeel replay: sticky has no answer for payments: NotOffered: ")
    assert told.err.count("\n") == 1


def test_replay_without_a_range_is_of_the_last_24_hours(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    for number in (0, 2, 2880):
        write_slot(lake, number, kept_up("payments", number), members_of("payments"))

    def snapshots(*arguments: str) -> int:
        assert (
            main(
                [
                    "replay",
                    "--group",
                    "payments",
                    "--lake",
                    lake.url,
                    "--assignor",
                    "range",
                    "--json",
                    *arguments,
                ]
            )
            == 0
        )
        return json.loads(capsys.readouterr().out.splitlines()[0])["snapshots"]

    # Slot 2880 is 24 hours after slot 0.
    assert snapshots() == 3
    write_slot(lake, 2881, kept_up("payments", 2881), members_of("payments"))
    assert snapshots() == 3
    assert snapshots("--from", "2026-11-10") == 4


@pytest.mark.parametrize("cluster", ["c", None])
def test_replay_and_history_say_the_same_of_a_group_that_is_not_there(tmp_path, capsys, cluster):
    lake = place_of(tmp_path / "lake")
    write_slot(lake, 0, kept_up("payments", 0), members_of("payments"), cluster)

    for command in ("replay", "history"):
        assert main([command, "--group", "billing", "--lake", lake.url]) == 2
        assert (
            capsys.readouterr().err
            == f"evenkeel {command}: {lake} has no group 'billing' in this range, found payments\n"
        )


def test_a_scenario_and_a_group_are_one_too_many(capsys):
    assert main(["replay", "scenario.json", "--group", "payments"]) == 2
    assert main(["replay"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "evenkeel replay: scenario.json and --group, expected one of the two",
        "evenkeel replay: no scenario and no --group, expected one of the two",
    ]


def test_all_groups_of_a_cluster_are_listed_worst_first_and_stored(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("evenkeel.data.pipeline.timeline.GROUPS_A_TASK", 2)
    lake = place_of(tmp_path / "lake")
    write_lake(lake, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))

    assert main(["history", "--lake", lake.url, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    stored = stored_history(lake, "GROUP_VERDICT", CLUSTER)

    assert told[0]["group_id"] == "group-0000"
    assert told[0]["verdict"] == "STALL"
    assert len(told) == 3
    assert stored["group_id"].to_pylist() == ["group-0000", "group-0001", "group-0002"]

    assert stored_history(lake, "MEMBER_VERDICT", CLUSTER).num_rows == 6
    assert main(["history", "--lake", lake.url]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("group-0000  STALL")


def test_a_group_alone_and_among_all_is_told_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("evenkeel.data.pipeline.timeline.GROUPS_A_TASK", 2)
    lake = place_of(tmp_path / "lake")
    write_lake(lake, plan_with_trouble(groups=3, partitions=4, members=2, days=0.15))

    def told(*arguments: str) -> list[dict]:
        assert main(["history", "--lake", lake.url, "--json", *arguments]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    # All slots, 40 of them, and the last 15, 6 and 2, which are too few for a band.
    ends = {431: None, 40: "03:20:00", 15: "03:28:30", 6: "03:33:00", 2: "03:35:00"}
    begins = {40: "03:00:00", 15: "03:21:30", 6: "03:30:30", 2: "03:34:30"}
    verdicts = set()
    for count, end in ends.items():
        span = (
            ("--from", f"2026-11-02T{begins[count]}Z", "--to", f"2026-11-02T{end}Z") if end else ()
        )
        for row in told(*span):
            (one,) = told("--group", row["group_id"], *span)
            drain = one["drains"][0]
            verdicts.add(row["lasting_verdict"])

            assert [one[key] for key in ("verdict", "lasting_verdict", "since_is_older")] == [
                row[key] for key in ("verdict", "lasting_verdict", "verdict_is_older")
            ]
            assert (moment(one["since"]), moment(one["at"])) == (
                moment(row["verdict_since"]),
                moment(row["taken_at"]),
            )
            assert row["lag"] == sum(each["lag"] for each in one["partitions"])
            assert row["lag_seconds"] == pytest.approx(
                max(each["lag_seconds"] for each in one["partitions"])
            )
            assert row["drain_is_never"] == drain["never"]
            band = drain["seconds"] or {"p5": row["drain_low_seconds"], "p50": None, "p95": None}
            of_row = [
                row[name] for name in ("drain_low_seconds", "drain_seconds", "drain_high_seconds")
            ]
            assert of_row == [
                band[end] if band[end] is None else pytest.approx(band[end])
                for end in ("p5", "p50", "p95")
            ], (count, row)
    assert verdicts == {"OK", "SLOW", "STALL"}


def test_a_person_reads_one_time_of_two_readings(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    # 300 records come in and 900 are read in 30 s, with 8,400 behind in the end.
    for number in range(2):
        offsets = {
            "begin_offset": 0,
            "committed_offset": 900 * number,
            "end_offset": 9_000 + 300 * number,
        }
        write_slot(lake, number, [_behind(0, 0, "A") | offsets], members_of("payments", ["A"]))

    assert main(["history", "--lake", lake.url]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith("  ≈ 7 m")
    assert lines[2].startswith("(the last snapshot is of 2026-11-10T00:00:30Z, ")
    assert (
        main(
            [
                "history",
                "--lake",
                lake.url,
                "--group",
                "payments",
                "--to",
                "2026-12-01",
                "--fail-if",
                "drain_seconds > 400",
            ]
        )
        == 1
    )
    assert "  ≈ 7 m" in capsys.readouterr().out


def test_a_schedule_over_all_groups_reads_one_line_for_each_that_fails(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    write_lake(lake, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))

    call = [
        "history",
        "--lake",
        lake.url,
        "--quiet",
        "--fail-if",
        "verdict >= STALL",
        "--fail-if",
        "lag < 0",
    ]
    assert main(call) == 2
    assert (
        "cannot be judged: the last snapshot is of 2026-11-02T01:11:30Z, "
        in capsys.readouterr().err
    )
    assert main([*call, "--to", "2026-11-03"]) == 1
    told = capsys.readouterr()

    assert told.out == ""
    assert told.err.startswith(
        "evenkeel history: verdict >= STALL holds for group-0000: STALL since 2026-11-02T"
    )
    assert len(told.err.splitlines()) == 1


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_groups_of_files_are_each_told_over_times_of_their_own(tmp_path, capsys):
    lake = place_of(tmp_path / "lake")
    for number in range(12):
        group = "payments" if number % 2 else "billing"
        write_slot(
            lake,
            number,
            [row | {"committed_offset": 5} for row in kept_up(group, number)],
            members_of(group),
            cluster=None,
        )

    assert main(["history", "--lake", lake.url, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [(row["group_id"], row["slot_count"], row["lasting_verdict"]) for row in rows] == [
        ("payments", 6, "STALL"),
        ("billing", 6, "STALL"),
    ]
