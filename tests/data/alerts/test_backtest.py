"""`evenkeel alerts test`: what rules would have told."""

import json
from datetime import UTC, datetime

import pytest

from evenkeel.data.alerts.backtest import by_rules
from evenkeel.data.commands.main import main
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.findings import FindingSettings
from tests.generated.incidents import KEEPS, T0, Incident, Partition

SHORT = KEEPS | {"retention.ms": "60000", "segment.ms": "10000"}


def at(seconds: float) -> str:
    return f"{datetime.fromtimestamp(T0 + seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def kept_for_a_minute(time: float) -> float:
    return max(0, 100 + 10 * ((time - 60) // 10 * 10)) if time >= 60 else 0


def here(time: float) -> bool:
    return not 100 < time <= 300


def away(begin=lambda time: 0, settings=KEEPS) -> Incident:
    """The only member is away from 100 to 300 s."""
    partition = Partition(
        lambda time: 10 * time + 100,
        lambda time: 10 * (time if here(time) else 100) + 90,
        lambda time: "m" if here(time) else None,
        begin,
    )
    return Incident(
        {"a-0": partition}, lambda time: ["m"] if here(time) else [], topics={"a": settings}
    )


@pytest.fixture
def incident() -> Incident:
    return away()


def rows(capsys, *arguments) -> list[dict]:
    assert main(["alerts", "test", "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_back_test_of_too_few_slots_says_that_stalls_are_not_judged(capsys, incident, tmp_path):
    slots = str(incident.write(tmp_path / "slots.jsonl"))

    (few,) = rows(capsys, "--slots", slots, "--to", at(5))
    (enough,) = rows(capsys, "--slots", slots, "--to", at(45))

    assert [few["slots"], few["unknown"]] == [2, ["stalls of 1 group: fewer than 10 slots"]]
    assert [enough["slots"], enough["unknown"]] == [10, []]


def test_a_rule_tells_at_the_slot_at_which_its_patience_is_over(
    capsys, incident, tmp_path, monkeypatch
):
    settings = tmp_path / "evenkeel.toml"
    settings.write_text('[[alerts]]\nname = "on call"\nfindings = ["down"]\nfor = "10s"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))
    slots = str(incident.write(tmp_path / "slots.jsonl"))

    episode, summary = rows(capsys, "on call", "--slots", slots, "--against", "500")

    # Ten observations of 80 to 125 s: 25 s of silence after 20 s with commits.
    assert (episode["id"], episode["seen"], episode["told"]) == ("test/g/stop", at(125), at(135))
    assert episode["until"] == at(305)
    # The lag passes 500 records at 150 s, once, while the group is down.
    assert summary["against"] == {"lag": 500, "count": 1, "inside": 1}


def test_what_is_told_does_not_change_by_later_slots(tmp_path):
    """Unread records are deleted from 160 s on, and what was told before is folded into that."""
    evidence = away(kept_for_a_minute, SHORT).recorded(tmp_path).evidence("g")
    rule = AlertRule("all", findings=("critical", "warning", "info"), patience=Duration(seconds=10))

    def told(row: int) -> set:
        (answer,) = by_rules([rule], "g", evidence.until(row), FindingSettings(), "test", None)
        return {(each.id, each.told, each.text) for each in answer.tellings}

    last = evidence.series.slot_count - 1
    whole = told(last)
    assert {name for name, _, _ in whole} >= {"test/g/loses", "test/g/lost"}
    for row in range(0, last, 3):
        moment = evidence.series.time[row]
        assert told(row) == {each for each in whole if each[1] <= moment}


def test_a_group_that_the_rule_leaves_out_is_not_told(capsys, incident, tmp_path, monkeypatch):
    settings = tmp_path / "evenkeel.toml"
    settings.write_text('[[alerts]]\nname = "x"\ngroups = ["test/*", "!*/g"]\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))

    (summary,) = rows(capsys, "--slots", str(incident.write(tmp_path / "slots.jsonl")))

    assert summary["episodes"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'name = "x"\nfindings = ["slow"]',
            'alerts[0].findings has "slow", expected info, warning',
        ),
        (
            'name = "x"\n[[alerts]]\nname = "x"',
            'alerts[1].name is "x", the name of an earlier rule',
        ),
        (
            'name = "x"\nfor = "soon"',
            "alerts[0].for is a string, expected a number and s, m, h or d",
        ),
    ],
)
def test_a_wrong_rule_is_named(capsys, tmp_path, monkeypatch, text, message):
    settings = tmp_path / "evenkeel.toml"
    settings.write_text(f"[[alerts]]\n{text}\n")
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))

    assert main(["alerts", "test", "--slots", "none.jsonl"]) == 2

    assert message in capsys.readouterr().err


def test_an_unknown_group_is_refused_with_the_known_ones(capsys, incident, tmp_path):
    slots = str(incident.write(tmp_path / "slots.jsonl"))

    assert main(["alerts", "test", "--slots", slots, "--group", "other"]) == 2

    assert f"no group other in {slots}, expected g\n" in capsys.readouterr().err


def test_an_unknown_rule_is_refused_with_the_known_ones(capsys, incident, tmp_path):
    slots = str(incident.write(tmp_path / "slots.jsonl"))

    assert main(["alerts", "test", "nightly", "--slots", slots]) == 2

    assert 'no rule "nightly"' in capsys.readouterr().err
