"""The same messages of a coordinator in every layout of a log tell the same rebalance."""

import json

import pytest

from evenkeel.data.rebalances.history import HistoryRequest, read_history

MESSAGES = (
    (
        "10:00:00",
        "Preparing to rebalance group pay in state PreparingRebalance with old generation 5 "
        "(__consumer_offsets-11) (reason: Removing member c-1 on LeaveGroup; client reason: the consumer is being closed)",
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
LOGGER = "org.apache.kafka.coordinator.group.GroupMetadataManager"


def plain(time, text):
    return f"[2026-11-27 {time},000] INFO [GroupCoordinator id=1] {text} ({LOGGER})"


LAYOUTS = {
    "kafka": plain,
    "strimzi": lambda time, text: (
        f"2026-11-27 {time},000 INFO [GroupCoordinator id=1] {text} ({LOGGER}) [event-processor-1]"
    ),
    "line number": lambda time, text: (
        f"[2026-11-27 {time},000] INFO [GroupCoordinator id=1] {text} ({LOGGER}:1234)"
    ),
    "suffix": lambda time, text: f"{plain(time, text)} - app=kafka, clusterId=c, server=0",
    "json": lambda time, text: json.dumps(
        {"@timestamp": f"2026-11-27T{time}.000Z", "message": f"[GroupCoordinator id=1] {text}"}
    ),
    "instant": lambda time, text: json.dumps(
        {
            "instant": {"epochSecond": 1795773600 + int(time[-2:]), "nanoOfSecond": 0},
            "message": f"[GroupCoordinator id=1] {text}",
        }
    ),
    "colours in json": lambda time, text: (
        f'{{"@timestamp":"\x1b[32m2026-11-27T{time}.000Z\x1b[0m","message":"[GroupCoordinator id=1] {text}"}}'
    ),
    "fences": lambda time, text: f"```{plain(time, text)}```",
    "docker": lambda time, text: json.dumps(
        {"log": plain(time, text) + "\n", "time": "2026-11-27T10:00:00.000000001Z"}
    ),
    "json in json": lambda time, text: json.dumps(
        {"log": json.dumps({"message": plain(time, text)})}
    ),
    "compose": lambda time, text: f"kafka-1  | {plain(time, text)}",
    "cri": lambda time, text: f"2026-11-27T{time}.004Z stdout F {plain(time, text)}",
    "colours": lambda time, text: f"\x1b[38;5;6mkafka \x1b[0m{plain(time, text)}\x1b[0m",
    "syslog": lambda time, text: f"Nov 27 {time} host kafka[1]: {plain(time, text)}",
    "csv": lambda time, text: f'1795773600000,"{plain(time, text)}"',
    "journal": lambda time, text: f"2026-11-27T{time}+0000 host kafka[1]: {plain(time, text)}",
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_rebalance_does_not_depend_on_the_layout(layout):
    log = "\n".join(layout(*message) for message in MESSAGES).encode()

    history = read_history(HistoryRequest(), [("server.log", log)])

    (document,) = [one.document() for one in history.events]
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
