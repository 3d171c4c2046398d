"""`evenkeel findings`."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.incidents import T0, Incident, Partition


def at(seconds: float) -> str:
    return f"{datetime.fromtimestamp(T0 + seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


@pytest.fixture
def slots(tmp_path):
    """A group whose only member leaves at 100 s and comes back at 300 s."""

    def is_here(time: float) -> bool:
        return not 100 < time <= 300

    partition = Partition(
        lambda time: 10 * time + 100,
        lambda time: 10 * (time if is_here(time) else 100) + 90,
        lambda time: "m" if is_here(time) else None,
    )
    incident = Incident({"a-0": partition}, lambda time: ["m"] if is_here(time) else [])
    return str(incident.write(tmp_path / "slots.jsonl"))


def told(capsys, *arguments, code: int = 0) -> list[dict]:
    assert main(["findings", "--json", *arguments]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_without_a_time_it_lists_what_is_open_at_the_last_slot(capsys, slots):
    (summary,) = told(capsys, "--slots", slots)

    assert summary == {
        "schema": "evenkeel.findings-summary/1",
        "slots": 90,
        "last_slot": at(445),
        "groups": 1,
        "healthy": 1,
        "critical": 0,
        "warning": 0,
        "info": 0,
        "folded": 0,
        "unknown": [],
    }


def test_at_a_time_nothing_later_is_used(capsys, slots):
    down, summary = told(capsys, "--slots", slots, "--at", at(200))

    assert (down["id"], down["code"], down["severity"]) == ("test/g/stop", "down", "critical")
    assert (down["since"], down["until"]) == (at(100), None)
    assert down["subject"] == {"topics": ["a"], "partitions": ["a-0"], "members": []}
    assert down["text"] == "g has no member: 1,010 records wait on 1 partition."
    assert (
        down["command"]
        == "kafka-consumer-groups.sh --bootstrap-server … --describe --group g --state"
    )
    assert summary["critical"] == 1


def test_of_a_range_it_lists_what_was_open_in_it(capsys, slots):
    down, _ = told(capsys, "--slots", slots, "--from", at(150), "--to", at(445))
    (_,) = told(capsys, "--slots", slots, "--from", at(310), "--to", at(445))

    assert down["until"] == at(305)


def test_a_group_with_too_few_slots_is_not_judged_and_the_command_says_so(capsys, slots):
    (nine,) = told(capsys, "--slots", slots, "--at", at(40))
    (ten,) = told(capsys, "--slots", slots, "--at", at(45))

    assert [nine["slots"], ten["slots"]] == [9, 10]
    assert [nine["unknown"], ten["unknown"]] == [["stalls of 1 group: fewer than 10 slots"], []]
    assert main(["findings", "--slots", slots, "--at", at(40)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [lines[0], lines[-1]] == [
        "No finding.",
        "Unknown: stalls of 1 group: fewer than 10 slots.",
    ]


def test_a_condition_holds_for_a_group_with_an_open_finding(capsys, slots):
    told(capsys, "--slots", slots, "--at", at(200), "--fail-if", "critical > 0", code=1)
    told(capsys, "--slots", slots, "--at", at(200), "--fail-if", "unread > 0")


def test_a_condition_on_a_group_with_too_few_slots_cannot_be_judged(capsys, slots):
    for condition in ("stuck > 0", "severity >= warning"):
        told(capsys, "--slots", slots, "--at", at(40), "--fail-if", condition, code=2)
        told(capsys, "--slots", slots, "--at", at(45), "--fail-if", condition)
    told(capsys, "--slots", slots, "--at", at(40), "--fail-if", "lost > 0")

    assert main(["findings", "--slots", slots, "--at", at(40), "--fail-if", "stuck > 0"]) == 2
    assert capsys.readouterr().err.endswith(
        "stuck > 0 cannot be judged for g: it has fewer than 10 slots\n"
    )


def test_a_condition_on_a_code_of_one_reading_is_refused(capsys, slots):
    with pytest.raises(SystemExit):
        main(["findings", "--slots", slots, "--fail-if", "silent_member > 0"])

    assert "expected one of severity, critical, " in capsys.readouterr().err


def test_a_time_before_the_first_slot_is_refused_with_the_first_slot(capsys, slots):
    assert main(["findings", "--slots", slots, "--at", at(-60)]) == 2

    assert f"the first is {at(0)}" in capsys.readouterr().err


def test_a_line_that_is_no_slot_is_named(capsys, slots):
    with open(slots, "a") as file:
        file.write('{"t": "soon"}\n')

    assert main(["findings", "--slots", slots]) == 2

    assert f"{slots}, line 92: " in capsys.readouterr().err


def test_a_group_that_no_slot_has_is_refused(capsys, slots):
    assert main(["findings", "--slots", slots, "--group", "other"]) == 2

    assert f"no group other in {slots}, expected g\n" in capsys.readouterr().err


def test_a_topic_that_no_group_has_is_refused_and_not_healthy(capsys, slots):
    assert main(["findings", "--slots", slots, "--topic", "b"]) == 2

    assert "no topic b of 1 group, expected a\n" in capsys.readouterr().err


def test_an_ignored_finding_is_not_listed(capsys, slots, tmp_path, monkeypatch):
    settings = tmp_path / "evenkeel.toml"
    settings.write_text('[findings]\nignore = [{group = "g", code = "down"}]\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))

    (_,) = told(capsys, "--slots", slots, "--at", at(200))


def test_the_slots_of_a_lake_are_read(capsys, tmp_path):
    """Three groups: one with a stalled member, one with a hot partition, one that flaps."""
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=8, members=4, days=0.25))

    *rows, summary = told(capsys, "--lake", place.url, "--all")

    assert summary["groups"] == 3
    assert {row["code"] for row in rows} >= {"stalled", "hot_partition"}


def test_a_condition_on_slots_that_have_ended_cannot_be_judged(capsys, tmp_path):
    """The last slot is of 2026-11-02."""
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))

    assert main(["findings", "--lake", place.url, "--fail-if", "critical > 0"]) == 2

    captured = capsys.readouterr()
    assert f"critical > 0 cannot be judged: {CLUSTER} has not been read for" in captured.err


def test_a_cluster_that_is_not_read_any_more_is_a_finding_of_its_own(capsys, tmp_path, monkeypatch):
    """Slots of 30 s from 2026-11-02; the last one is 71 slots after the first."""
    place = place_of(tmp_path / "lake")
    plan = plan_with_trouble(groups=1, partitions=4, members=2, days=0.025)
    write_lake(place, plan)
    last = plan.time(plan.slot_count - 1)
    now = last.timestamp() + 601
    monkeypatch.setattr("evenkeel.data.episodes.command.clock.seconds", lambda: now)

    silent, *others, summary = told(capsys, "--lake", place.url)
    told(capsys, "--lake", place.url, "--at", f"{last:%Y-%m-%dT%H:%M:%SZ}")

    assert [silent[key] for key in ("id", "code", "severity", "group")] == [
        f"{CLUSTER}/silent",
        "silent",
        "warning",
        None,
    ]
    # It is silent from its last slot on, and seen as silent three slots of 30 s later.
    since, seen = (datetime.fromisoformat(silent[name]) for name in ("since", "seen"))
    assert since - last < timedelta(seconds=1)
    assert seen - since == timedelta(seconds=90)
    assert silent["text"] == f"{CLUSTER} has not been read for 10 m."
    assert summary["warning"] == 1 + sum(row["severity"] == "warning" for row in others)


def test_a_lake_without_slots_names_the_command_that_stores_them(capsys, tmp_path):
    lake = str(tmp_path / "lake")

    assert main(["findings", "--lake", lake]) == 2
    assert main(["findings", "--lake", lake, "--cluster", "production"]) == 2

    nameless, named = capsys.readouterr().err.splitlines()
    assert f"evenkeel collect --cluster NAME --out {lake} stores a snapshot every 30 s" in nameless
    stores = f"evenkeel collect --cluster production --out {lake} stores a snapshot every 30 s"
    assert stores in named


def test_figures_have_the_keys_of_their_code_and_unknown_is_null(capsys, slots):
    (down, _) = told(capsys, "--slots", slots, "--at", at(200))

    assert sorted(down["figures"]) == ["lag", "lag_at_most", "lag_seconds", "not_before"]
    assert down["figures"]["lag_at_most"] is None
    # The next record is that of 99 s.
    assert down["figures"]["lag_seconds"] == pytest.approx(101, abs=0.1)


@pytest.mark.parametrize(
    ("partition", "members", "message"),
    [
        ("a-0", '"="', 'group "g" at 0 s: members are "=", expected a list in its first slot'),
        ("a-00", "[]", 'partition "a-00", expected a topic, "-" and a number'),
    ],
)
def test_a_slot_that_cannot_be_meant_is_refused(capsys, tmp_path, partition, members, message):
    file = tmp_path / "slots.jsonl"
    file.write_text(
        '{"kind": "header", "incident": "test", "t0": 0, "every": 5}\n{"t": 0, "p":'
        f' {{"{partition}": [0, 9, 9, 1]}}, "g": {{"g": {{"type": "Classic", "state": "Stable",'
        f' "c": {{"{partition}": 3}}, "m": {members}}}}}}}\n'
    )

    assert main(["findings", "--slots", str(file)]) == 2

    assert message in capsys.readouterr().err
