"""`evenkeel rebalances`, and the library's `rebalances`: text, JSON, conditions, what is
refused.
"""

import io
import json

import pytest

import evenkeel
from evenkeel.data.commands.main import main
from tests.data.rebalances.records import classic, dump, member
from tests.data.rebalances.test_from_log import A, adds, begins, ends, log
from tests.data.rebalances.test_history import RESTART, SLOW


@pytest.fixture
def server_log(tmp_path):
    path = tmp_path / "server.log"
    path.write_bytes(RESTART)
    return str(path)


def test_one_rebalance_a_line_in_order_then_what_was_read(server_log, capsys):
    assert main(["rebalances", server_log, "--json"]) == 0

    *found, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(one["schema"], one["group"], one["generation"], one["cause"]) for one in found] == [
        ("evenkeel.rebalance/1", "pay", generation, cause)
        for generation, cause in (
            (3, "member_left"),
            (4, "member_joined"),
            (5, "member_left"),
            (6, "member_joined"),
        )
    ]
    assert found[0] == found[0] | {
        "protocol": "classic",
        "generation_before": 2,
        "start": "2026-11-23T12:00:00.000Z",
        "joined": "2026-11-23T12:00:01.000Z",
        "assigned": "2026-11-23T12:00:01.010Z",
        "stable": None,
        "end_is": "assigned",
        "duration_ms": 1010,
        "completed": True,
        "alternatives": [],
        "members_left": [{"member_id": A, "client_id": "pay-a", "instance_id": None}],
        "members": 1,
        "moved": None,
        "chain": "pay@3",
        "coordinator": 1,
        "source": "log",
        "zone_assumed": True,
        "evidence": ["server.log:1", "server.log:2", "server.log:3"],
    }
    assert summary == summary | {
        "schema": "evenkeel.rebalances-summary/1",
        "lines": 12,
        "used": 12,
        "rebalances": 4,
    }


def test_the_text_tells_the_chain_and_what_static_members_would_have_made_of_it(server_log, capsys):
    assert main(["rebalances", server_log]) == 0

    said = capsys.readouterr()
    assert (
        "pay@3: 4 rebalances, rolling restart of pay-a and pay-b; with static members: 0"
        in said.out
    )
    assert "group.instance.id=pay-a, each its own: 0 instead of 4" in said.out
    assert (
        said.err
        == "evenkeel rebalances: times without a zone are read as UTC; --zone names another zone\n"
    )


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("rebalances_per_hour > 3", 1),
        ("rebalances_per_hour > 4", 0),
        ("longest_seconds >= 1.01", 1),
    ],
)
def test_a_condition_is_judged_for_the_worst_group(server_log, capsys, condition, code):
    assert main(["rebalances", server_log, "--json", "--fail-if", condition]) == code

    assert (f"{condition} holds for pay" in capsys.readouterr().err) == bool(code)


def test_a_rebalance_without_a_recorded_begin_has_no_length_and_decides_no_condition(
    server_log, tmp_path, capsys
):
    records = classic("audit", 1, member("a-1", "a", [0]), at=1_795_435_200_000, leader="a-1")
    (tmp_path / "dump.jsonl").write_bytes(dump(records))
    arguments = [
        "rebalances",
        server_log,
        "--offsets-dump",
        str(tmp_path / "dump.jsonl"),
        "--fail-if",
    ]

    assert main([*arguments, "longest_seconds > 1", "--group", "audit"]) == 2
    said = capsys.readouterr()
    assert "longest_seconds of audit is unknown: longest_seconds > 1 cannot be judged" in said.err
    assert "member joined      1        –        –" in said.out
    assert [main([*arguments, f"longest_seconds {than}"]) for than in ("> 1", "> 9", "< 1")] == [
        1,
        2,
        2,
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no LOG, --offsets-dump or --cluster"),
        (["{log}", "--group", "other"], 'no rebalance of group "other"'),
        (["{log}", "--check"], "--check without --offsets-dump or --cluster"),
        (["{log}", "--gap", "-1"], "--gap -1, expected 0 or more seconds"),
        (["{log}", "--gap", "nan"], "--gap nan, expected 0 or more seconds"),
        (["{log}", "--gap", "inf"], "--gap inf, expected 0 or more seconds"),
        (["{log}", "--zone", "Mars"], 'zone: found "Mars"'),
        (["{log}.missing"], "no such file or folder"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_code_2(server_log, capsys, arguments, said):
    assert main(["rebalances", *(word.format(log=server_log) for word in arguments)]) == 2

    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_standard_input_is_a_log_too(server_log, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RESTART)))

    assert main(["rebalances", "-", "--json", "--since", "2026-11-23T12:00:08Z"]) == 0

    *found, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["evidence"][0] for one in found] == ["standard input:7", "standard input:10"]


def test_a_dump_is_checked_and_a_difference_ends_with_1(tmp_path, capsys):
    right = classic("pay", 1, member("a-1", "a", [0, 1]), leader="a-1")
    wrong = classic("pay", 2, member("a-1", "a", [2]), member("b-1", "b", [0, 1]), leader="a-1")
    (tmp_path / "dump.jsonl").write_bytes(dump(right, wrong))

    assert main(["rebalances", "--offsets-dump", str(tmp_path / "dump.jsonl"), "--check"]) == 1

    assert capsys.readouterr().out.startswith(
        "Kafka agrees: 1 of 2 generations replayed\npay generation 2, range: 3 partitions differ"
    )


def test_a_hostile_name_moves_no_cursor(tmp_path, capsys):
    (tmp_path / "server.log").write_bytes(
        log(
            begins(0, 0, adds("\x1b[2J" + A), group="pay\x1b[1m"),
            *ends(1, 1, 1, group="pay\x1b[1m"),
        )
    )

    assert main(["rebalances", str(tmp_path / "server.log")]) == 0
    assert main(["rebalances", str(tmp_path / "server.log"), "--json"]) == 0

    assert "\x1b" not in capsys.readouterr().out


def test_the_library_reads_paths_texts_and_dumps(server_log):
    found = evenkeel.rebalances(server_log)

    assert (len(found), found.groups, found[0]["cause"], found.summary["used"]) == (
        4,
        ("pay",),
        "member_left",
        12,
    )
    assert [one["rebalances"] for one in found.other_settings("pay@3")][:2] == [4, 0]
    assert found.rows.to_arrow()["generation"].to_pylist() == [3, 4, 5, 6]
    assert "rolling restart of pay-a and pay-b" in repr(found)
    assert len(evenkeel.rebalances(RESTART.decode())) == 4
    with pytest.raises(evenkeel.Error, match="nothing to read"):
        evenkeel.rebalances()


def test_the_text_has_the_zone_that_is_named_and_the_cause_that_made_it_long(tmp_path, capsys):
    (path := tmp_path / "server.log").write_bytes(SLOW)

    assert main(["rebalances", str(path), "--zone", "Asia/Tokyo"]) == 0

    said = capsys.readouterr().out
    assert (
        "2026-11-23 12:00:00         2→3        2      6.0       pay-b  pay-c: member joined; then"
        " pay-b: poll timeout" in said
    )
    assert "2026-11-23 12:00:00 to 2026-11-23 12:00:08, Asia/Tokyo" in said
    assert (
        "max.poll.interval.ms=360000: 0 instead of 1; the timeout is Kafka's default, 5 m"
        " assumed" in said
    )
    assert "max poll interval 360 s: 1; timeouts are Kafka's defaults" in said
