"""The same messages of a coordinator in every layout of a log tell the same rebalances."""

import gzip
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.history import HistoryRequest, read_history


class Message(NamedTuple):
    """A line in Kafka's own layout, and its parts."""

    line: str
    day: str
    clock: str
    ms: str
    level: str
    text: str
    logger: str

    @property
    def iso(self) -> str:
        return f"{self.day}T{self.clock}.{self.ms}Z"

    @property
    def instant(self) -> dict[str, int]:
        at = datetime.fromisoformat(f"{self.day} {self.clock}").replace(tzinfo=UTC)
        return {"epochSecond": int(at.timestamp()), "nanoOfSecond": int(self.ms) * 10**6}


_KAFKA = re.compile(r"\[(\S+) (\S+),(\d{3})\] (\w+) (.*) \((\S+)\)")


def message(line):
    return Message(line, *_KAFKA.fullmatch(line).groups())


LAYOUTS = {
    "kafka": lambda one: one.line,
    "strimzi": lambda one: (
        f"{one.day} {one.clock},{one.ms} {one.level} {one.text} ({one.logger}) [event-processor-1]"
    ),
    "line number": lambda one: (
        f"[{one.day} {one.clock},{one.ms}] {one.level} {one.text} ({one.logger}:1234)"
    ),
    "suffix": lambda one: f"{one.line} - app=kafka, clusterId=c, server=0",
    "json": lambda one: json.dumps({"@timestamp": one.iso, "message": one.text}),
    "instant": lambda one: json.dumps({"instant": one.instant, "message": one.text}),
    "docker": lambda one: json.dumps({"log": f"{one.line}\n", "time": "2030-01-01T10:00:00Z"}),
    "json in json": lambda one: json.dumps({"log": json.dumps({"message": one.line})}),
    "compose": lambda one: f"kafka-1  | {one.line}",
    "cri": lambda one: f"{one.iso} stdout F {one.line}",
    "colours": lambda one: f"\x1b[38;5;6mkafka \x1b[0m{one.line}\x1b[0m",
    "csv": lambda one: f'1795773600000,"{one.line}"',
    "journal": lambda one: f"{one.day}T{one.clock}+0000 host kafka[1]: {one.line}",
    "syslog": lambda one: f"Nov 27 {one.clock} host kafka[1]: {one.line}",
    "fences": lambda one: f"```{one.line}```",
    "json over lines": lambda one: json.dumps(
        {"jsonPayload": {"message": one.text}, "timestamp": one.iso}, indent=2
    ),
    "colours in json": lambda one: (
        f'{{"@timestamp":"\x1b[32m{one.iso}\x1b[0m","message":"{one.text}"}}'
    ),
}
RECORDED = ("kafka", "strimzi", "line number", "suffix", "json", "instant", "docker") + (
    "json in json",
    "compose",
    "cri",
    "colours",
    "csv",
)
"""Layouts of the recorded logs."""

GROUP = "org.apache.kafka.coordinator.group.GroupMetadataManager"
MESSAGES = [
    message(f"[2026-11-27 {clock},000] INFO [GroupCoordinator id=1] {text} ({GROUP})")
    for clock, text in (
        (
            "10:00:00",
            (
                "Preparing to rebalance group pay in state PreparingRebalance with old generation 5"
                " (__consumer_offsets-11) (reason: Removing member c-1 on LeaveGroup; client"
                " reason: the consumer is being closed)"
            ),
        ),
        (
            "10:00:03",
            "Stabilized group pay generation 6 (__consumer_offsets-11) with 2 members.",
        ),
        (
            "10:00:04",
            "Assignment received from leader c-2 for group pay for generation 6. "
            "The group has 2 members, 0 of which are static.",
        ),
    )
]


def rebalances(messages, layout):
    """Return the rebalances that a log tells, without the lines that tell them and whether their
    times name a zone.
    """
    log = "\n".join(map(LAYOUTS[layout], messages)).encode()
    history = read_history(HistoryRequest(), [("server.log", log)])
    return [without_lines(one.document()) for one in history.events]


def without_lines(value):
    if isinstance(value, dict):
        of_lines = ("evidence", "zone_assumed")
        return {key: without_lines(one) for key, one in value.items() if key not in of_lines}
    return list(map(without_lines, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_rebalance_does_not_depend_on_the_layout(layout):
    (document,) = rebalances(MESSAGES, layout)

    assert {
        key: document[key]
        for key in ("group", "generation", "start", "joined", "assigned", "members", "leader")
    } == {
        "group": "pay",
        "generation": 6,
        "start": "2026-11-27T10:00:00.000Z",
        "joined": "2026-11-27T10:00:03.000Z",
        "assigned": "2026-11-27T10:00:04.000Z",
        "members": 2,
        "leader": "c-2",
    }
    assert document["triggers"][0]["reason"].endswith("the consumer is being closed")


with gzip.open(Path(__file__).with_name("logs.jsonl.gz"), "rt") as recorded:
    LOGS = {log["name"]: log["lines"] for log in map(json.loads, recorded)}


@pytest.mark.parametrize("name", LOGS)
def test_a_recorded_log_tells_the_same_in_twelve_layouts(name):
    messages = list(map(message, LOGS[name]))
    first = rebalances(messages, RECORDED[0])

    assert len(RECORDED) == 12
    assert {one["group"] for one in first}
    for layout in RECORDED[1:]:
        assert rebalances(messages, layout) == first, layout


def test_a_log_over_lines_within_a_list_is_read_and_lines_keep_their_numbers():
    objects = [{"message": one.text, "timestamp": one.iso} for one in MESSAGES]
    log = json.dumps(objects, indent=1).encode()

    (event,) = read_history(HistoryRequest(), [("server.log", log)]).events

    assert event.document()["evidence"] == [f"server.log:{line}" for line in (2, 6, 10)]


def test_messages_without_a_date_are_refused_for_what_they_lack():
    log = "\n".join(f"{one.clock},000 INFO {one.text}" for one in MESSAGES).encode()

    with pytest.raises(SnapshotError, match="3 messages of a group coordinator without a date"):
        read_history(HistoryRequest(), [("server.log", log)])
