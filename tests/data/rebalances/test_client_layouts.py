"""Messages of clients say the same in whatever layout a handler or a store of logs writes them."""

import json

import pytest

from evenkeel.data.rebalances.history import HistoryRequest, read_history

JAVA = "[Consumer clientId=c-1, groupId=billing] "
LAYOUTS = {
    "Datadog's CSV": '2026-11-27T10:20:0{0}.123Z,web-1,svc,"{1}"',
    "Splunk": (
        '{{"result":{{"_raw":"INFO Coordinator - {1}","_time":"2026-11-27T10:20:0{0}.123Z"}}}}'
    ),
    "journald as JSON": '{{"__REALTIME_TIMESTAMP":"179577480{0}123000","MESSAGE":"{1}"}}',
    "fluentd": '2026-11-27 10:20:0{0}.123 +0000 kube.x: {{"log":"{1}\\n","stream":"stdout"}}',
    "bars": "2026-11-27 10:20:0{0}.123|INFO|main|{1}|app=billing",
    "logfmt": 'time="2026-11-27T10:20:0{0}.123Z" level=info msg="{1}" logger=Coordinator',
    "JSON with a bracket too many": (
        '{{"timestamp":"2026-11-27T10:20:0{0}.123Z","message":"{1}"}}}}'
    ),
    "Quarkus": "2026-11-27 10:20:0{0},123 INFO [o.a.k.Coordinator] (thread-0) {1}",
}
MESSAGES = (
    "Request joining group due to: group is already rebalancing",
    "(Re-)joining group",
    "Adding newly assigned partitions: invoices-0",
)


def events_of(text):
    history = read_history(HistoryRequest(), [("log", text.encode())])
    return [
        (event.at, event.event, event.client_id, event.group, event.reason, event.partitions)
        for event in history.client_events
    ]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_events_have_their_own_time_and_no_part_of_the_layout(layout):
    text = "\n".join(layout.format(place, JAVA + said) for place, said in enumerate(MESSAGES))

    # 2026-11-27T10:20:00.123Z in milliseconds.
    first = 1795774800123
    assert events_of(text) == [
        (first, "rejoin_requested", "c-1", "billing", "group is already rebalancing", None),
        (first + 1000, "joining", "c-1", "billing", None, None),
        (first + 2000, "assigned", "c-1", "billing", None, {"invoices": [0]}),
    ]


HANDLERS = {
    "0.9": "7|2026-11-27 10:20:00.123|web#consumer-1|{0}| {1}",
    "before 1.0": "%7|1795774800.123|{0}|web#consumer-1| {1}",
    "its own": "%7|1795774800.123|{0}|web#consumer-1| [thrd:main]: {1}",
    "Go": "2026-11-27 18:20:00|1795774800.123|{0}|web#consumer-1| [thrd:main]: {1}",
    "PHP": "1795774800.123 RDKAFKA-7-{0}: web#consumer-1: [thrd:main]: {1}",
    ".NET": "2026-11-27 10:20:00.123 [7] web#consumer-1 > [thrd:main]: {1}",
    "Python": "2026-11-27 10:20:00,123 DEBUG {0} [web#consumer-1] [thrd:main]: {1}",
}


@pytest.mark.parametrize("handler", HANDLERS.values(), ids=HANDLERS)
def test_every_handler_of_librdkafkas_log_names_client_time_and_event(handler):
    joined = (
        "JoinGroup response: GenerationId 5, Protocol range, LeaderId a (me), my MemberId a, 1"
        " members in group: (no error)"
    )
    text = "\n".join(
        handler.format(facility, said)
        for facility, said in (("JOIN", 'Group "g": join with 1 topic(s)'), ("JOINGROUP", joined))
    )

    assert events_of(text) == [
        (1795774800123, "joining", "web", "g", None, None),
        (1795774800123, "joined", "web", "g", None, None),
    ]


def test_partitions_of_python_2_are_read():
    text = (
        "2017-04-08 13:01:04,838 INFO Revoking previously assigned partitions"
        " set([TopicPartition(topic=u'orders', partition=24)]) for group billing"
    )

    assert events_of(text)[0][-1] == {"orders": [24]}


def test_an_empty_object_is_no_instance():
    line = {"time": "2026-11-27T10:20:00Z", "message": "joined", "group": "g", "member_id": "a"}

    history = read_history(
        HistoryRequest(), [("log", json.dumps(line | {"instance_id": {}}).encode())]
    )

    assert [event.instance_id for event in history.client_events] == [None]


def test_a_long_line_without_an_end_of_a_word_is_looked_at_once():
    text = 'web#consumer-1: [thrd:main]: Group "g": join with 1 topic(s)'

    # Looked at from each of its letters again, this would take minutes.
    assert [event[1] for event in events_of("A" * 500_000 + text)] == ["joining"]
    assert [event[1] for event in events_of("A" * 500_000 + f" {text}")] == ["joining"]
