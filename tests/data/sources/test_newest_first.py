"""Logs whose newest line comes first, as Loki and Kibana print them, mean the same as in order."""

import json

import pytest

from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.sources.inputs import read

BROKER = (
    ("10:00:00,000", "Preparing to rebalance group g in state PreparingRebalance with old"),
    ("10:00:03,000", "Stabilized group g generation 5 (__consumer_offsets-1) with 2 members"),
    ("10:00:03,004", "Assignment received from leader a-1 for group g for generation 5."),
)
_REST = " generation 4 (__consumer_offsets-1) (reason: removing member a-1 on LeaveGroup)"
CLIENT = (
    ("10:00:00,000", "Request joining group due to: group is already rebalancing"),
    ("10:00:01,000", "(Re-)joining group"),
    ("10:00:03,000", "Successfully joined group with generation 5"),
    ("10:00:03,000", "Adding newly assigned partitions: t-0, t-1"),
)


def broker(clock, text):
    rest = _REST if text.endswith("old") else ""
    return f"[GroupCoordinator 1]: {text}{rest} (kafka.coordinator.group.GroupCoordinator)"


def client(clock, text):
    return f"[Consumer clientId=a, groupId=g] {text} (o.a.k.ConsumerCoordinator)"


def plain(clock, text):
    return f"[2026-11-27 {clock}] INFO {text}"


def as_json(clock, text):
    return json.dumps({"@timestamp": f"2026-11-27T{clock.replace(',', '.')}Z", "message": text})


def facts_of(lines):
    history = read_history(HistoryRequest(), [("log", "\n".join(lines).encode())])
    return (
        [
            (each.generation, each.cause, each.start, each.duration_ms, each.members)
            for each in history.rebalances
        ],
        [(event.at, event.event, event.partitions) for event in history.client_events],
    )


@pytest.mark.parametrize("layout", [plain, as_json])
@pytest.mark.parametrize(("messages", "text"), [(BROKER, broker), (CLIENT, client)])
def test_a_log_says_the_same_in_either_order(messages, text, layout):
    lines = [layout(clock, text(clock, said)) for clock, said in messages]

    in_order = facts_of(lines)

    assert [row[0] for row in in_order[0]] == [5]
    assert facts_of(lines[::-1]) == in_order


def test_a_leaders_assignment_over_several_lines_is_whole_in_either_order():
    lines = [
        json.dumps({"ts": 1795774400 + place, "msg": f"[thrd:main]: {text}"})
        for place, text in enumerate(
            [
                'Group "g" running range assignor for 1 member(s)',
                ' Member "rdkafka-1" (me) assigned 2 partition(s):',
                "  t [0]",
                "  t [1]",
                'Group "g": new assignment',
            ]
        )
    ]

    parsed = read([("log", "\n".join(lines[::-1]).encode())])

    (member,) = [row for row in parsed.members.to_pylist() if row["member_id"]]
    assert member["owned"] == [{"topic": "t", "partitions": [0, 1]}]


LISTING = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
    "g t 0 5 9 4 - - -",
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
    "g t 0 7 9 2 - - -",
)


def _loki(lines):
    pairs = [[f"17957744000000000{place:02}", line] for place, line in enumerate(lines)]
    return json.dumps({"data": {"result": [{"stream": {}, "values": pairs[::-1]}]}})


def _text(lines):
    timed = [f"2026-11-27T10:00:0{place}Z {line}" for place, line in enumerate(lines)]
    return "\n".join(timed[::-1])


@pytest.mark.parametrize("store", [_loki, _text])
def test_the_newest_of_two_readings_in_a_store_of_logs_is_now(store):
    parsed = read([("pasted", store(LISTING).encode() + b"\n")])

    assert parsed.offsets["committed_offset"].to_pylist() == [7]
    assert (parsed.line_count, parsed.offsets["source_line"].to_pylist()) == (4, [4])
    assert parsed.earlier["committed_offset"].to_pylist() == [5]


@pytest.mark.parametrize("begin_and_end", ["[]", "  "], ids=["a list", "objects"])
def test_events_next_to_each_other_in_one_line_are_all_read(begin_and_end):
    lines = [as_json(clock, broker(clock, said)) for clock, said in BROKER[:2]]

    text = begin_and_end[0] + ", ".join(lines[::-1]) + begin_and_end[1]

    assert facts_of([text]) == facts_of(lines)


@pytest.mark.parametrize("last", ["10:00:00.5Z", "10:00:01Z"])
def test_a_time_without_a_fraction_comes_before_those_with_one(last):
    lines = [
        json.dumps({"time": f"2026-11-27T{clock}", "log": f"{text}\n"})
        for clock, text in (
            ("10:00:00Z", "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"),
            (last, "billing in 0 5 9 4"),
        )
    ]

    (row,) = read([("log", "\n".join(lines).encode())]).offsets.to_pylist()

    assert (row["topic"], row["committed_offset"]) == ("in", 5)
