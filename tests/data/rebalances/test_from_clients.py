"""Logs of clients: what each of them says becomes events, and a rebalance for each generation that
it joined.
"""

import pytest

from evenkeel.data.rebalances.event import Member, Rebalance, Trigger
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.rebalances.reading.from_clients import with_causes_of
from evenkeel.data.sources.client_event import ClientEvent

JAVA = """\
[2026-11-20 09:15:02,100] INFO [Consumer clientId=pay-1, groupId=pay] Request joining group due to: cached metadata has changed from (a) at the beginning of the rebalance to (b) (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
[2026-11-20 09:15:02,101] INFO [Consumer clientId=pay-1, groupId=pay] Revoke previously assigned partitions orders-0, orders-eu-1-2 (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
[2026-11-20 09:15:02,102] INFO [Consumer clientId=pay-1, groupId=pay] (Re-)joining group (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
[2026-11-20 09:15:04,310] INFO [Consumer clientId=pay-1, groupId=pay] Successfully joined group with generation Generation{generationId=12, memberId='pay-1-a', protocol='range'} (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
[2026-11-20 09:15:04,315] INFO [Consumer clientId=pay-1, groupId=pay] Finished assignment for group at generation 12: {pay-2-b=Assignment(partitions=[orders-1]), pay-1-a=Assignment(partitions=[orders-0])} (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)
"""  # noqa: E501
PYTHON = """\
2026-11-20 09:15:02,100 - kafka.coordinator - INFO - Heartbeat poll expired, leaving group
2026-11-20 09:15:02,102 - kafka.coordinator - INFO - (Re-)joining group pay
2026-11-20 09:15:04,310 - kafka.coordinator - INFO - Successfully joined group pay with generation 12
2026-11-20 09:15:04,320 - kafka.coordinator.consumer - INFO - Setting newly assigned partitions {TopicPartition(topic='orders', partition=0)} for group pay
"""  # noqa: E501
LIBRDKAFKA = """\
%4|1795774400.100|MAXPOLL|billing#consumer-1| [thrd:main]: Application maximum poll interval (300000ms) exceeded by 226ms: leaving group
%7|1795774460.000|JOIN|billing#consumer-1| [thrd:main]: Group "pay": join with 1 subscribed topic(s)
%7|1795774463.020|JOINGROUP|billing#consumer-1| [thrd:main]: JoinGroup response: GenerationId 9, Protocol range, LeaderId r-1, my MemberId r-2, 2 members in group: (no error)
"""  # noqa: E501
KAFKAJS = (
    '{"level":"INFO","timestamp":"2026-11-20T09:15:02.100Z","logger":"kafkajs","message":"[Runner]'
    ' The group is rebalancing, re-joining","groupId":"pay","memberId":"m-1","error":"x"}\n'
    '{"level":"INFO","timestamp":"2026-11-20T09:15:04.310Z","logger":"kafkajs","message":"[ConsumerGroup]'
    " Consumer has joined the"
    ' group","groupId":"pay","memberId":"m-1","leaderId":"m-1",'
    '"isLeader":true,"memberAssignment":{"orders":[0,1]}}\n'
)

FRANZ = """\
[INFO] joined, balancing group; group: pay, member_id: kgo-a, instance_id: <nil>, generation: 5, balance_protocol: sticky, leader: true
[INFO] balanced; group: pay, plan: kgo-a{orders[0, 1]}, kgo-b{orders[2]}
[INFO] synced; group: pay, assigned: orders[0 1]
[INFO] heartbeat errored; group: pay, err: REBALANCE_IN_PROGRESS: The group is rebalancing
[INFO] cooperative consumer revoking prior assigned partitions because leaving group; group: pay, revoking: orders[0 1]
"""  # noqa: E501
ZAP = """\
{"level":"info","ts":1795774400.1,"msg":"joined","group":"pay","member_id":"kgo-a","generation":5,"leader":false}
{"level":"info","ts":1795774400.2,"msg":"synced","group":"pay","assigned":{"orders":[0,1]}}
{"level":"info","ts":1795774401.2,"msg":"heartbeat errored","group":"pay","err":"REBALANCE_IN_PROGRESS"}
"""  # noqa: E501
SARAMA = """\
[sarama] 2026/11/27 10:15:01 consumergroup/pay loop check partition number coming: topic orders changed from 3 to 6
[sarama] 2026/11/27 10:15:02 consumergroup/pay: lost ownership of map[orders:[0 1]] due to rebalance
[sarama] 2026/11/27 10:15:03 JoinGroup failed: group instance id i-1 has been fenced
"""  # noqa: E501
BROD = """\
2026-11-27 10:15:01 [info] Group member (pay,coor=#Ref<0.1.2>,cb=#PID<0.3.4>,generation=4):
elected=true
2026-11-27 10:15:01 [info] Group member (pay,coor=#Ref<0.1.2>,cb=#PID<0.3.4>,generation=4):
assignments received:
  orders:
    partition=0 begin_offset=12
2026-11-27 10:15:02 [info] Group member (pay,coor=#Ref<0.1.2>,cb=#PID<0.3.4>,generation=4):
re-joining group, reason::rebalance_in_progress
"""
STREAMS = """\
2026-11-27 10:15:01,000 INFO stream-thread [a-1] State transition from RUNNING to PARTITIONS_REVOKED
2026-11-27 10:15:01,002 INFO stream-thread [a-1] Handle new assignment with:
\tNew active tasks: [0_0, 0_1]
\tNew standby tasks: []
\tExisting active tasks: [0_0]
2026-11-27 10:15:01,004 INFO stream-thread [a-1] Finished stable assignment of tasks, no followup rebalances required.
"""  # noqa: E501
SPRING = (
    "2026-11-27T10:15:01.010+01:00  INFO 1 --- [C-1] o.s.k.l.Container : pay: partitions assigned:"
    " [orders-0]\n"
)
JAVA_ASSIGNED = (
    "2026-11-27T10:15:01.000+01:00  INFO 1 --- [C-1] o.a.k.c.Coordinator : [Consumer clientId=c,"
    " groupId=pay] Adding newly assigned partitions: orders-0\n"
)


def read(text):
    return read_history(HistoryRequest(), [("client.log", text.encode())])


@pytest.mark.parametrize(
    ("text", "events"),
    [
        (JAVA, ["rejoin_requested", "revoked", "joining", "joined", "assignment_made"]),
        (PYTHON, ["poll_timeout", "joining", "joined", "assigned"]),
        (LIBRDKAFKA, ["poll_timeout", "joining", "joined"]),
        (KAFKAJS, ["rebalancing", "joined", "assigned"]),
        (FRANZ, ["joined", "assignment_made", "synced", "assigned", "rebalancing", "revoked"]),
        (ZAP, ["joined", "synced", "assigned", "rebalancing"]),
        (SARAMA, ["rejoin_requested", "lost", "fenced"]),
        (BROD, ["joined", "assigned", "rejoin_requested"]),
        (STREAMS, ["state", "tasks", "assignment_made"]),
        (SPRING, ["assigned"]),
        (SPRING + JAVA_ASSIGNED, ["assigned"]),
        ("INFO:aiokafka.x:LeaveGroup request succeeded\n", ["left"]),
    ],
)
def test_the_lines_of_every_client_are_events_of_the_same_kinds(text, events):
    assert [one.event for one in read(text).client_events] == events


@pytest.mark.parametrize(
    ("text", "generation", "cause"),
    [
        (JAVA, 12, "metadata_changed"),
        (PYTHON, 12, "poll_timeout"),
        (LIBRDKAFKA, 9, "poll_timeout"),
    ],
)
def test_a_generation_that_a_client_joined_is_a_rebalance_with_the_clients_cause(
    text, generation, cause
):
    (event,) = read(text).events

    assert (event.group, event.generation, event.cause, event.source) == (
        "pay",
        generation,
        cause,
        "client",
    )


def test_a_leaders_assignment_has_the_partitions_of_every_member():
    (event,) = read(JAVA).events

    assert event.assignment == {"pay-1-a": {"orders": [0]}, "pay-2-b": {"orders": [1]}}
    assert (event.members, event.leader, event.assignor) == (2, "pay-1-a", "range")


def test_a_topic_with_dashes_is_cut_from_its_partition_at_the_last_one():
    revoked = read(JAVA).client_events[1]

    assert revoked.partitions == {"orders": [0], "orders-eu-1": [2]}


def test_events_of_other_clients_have_their_partitions_plans_and_tasks():
    franz, zap, brod, streams = (read(text).client_events for text in (FRANZ, ZAP, BROD, STREAMS))

    assert franz[1].assignment == {"kgo-a": {"orders": [0, 1]}, "kgo-b": {"orders": [2]}}
    assert franz[3].partitions == zap[2].partitions == {"orders": [0, 1]}
    assert (franz[0].generation, franz[0].instance_id, zap[0].at) == (5, None, 1_795_774_400_100)
    assert (brod[1].partitions, brod[2].reason) == ({"orders": [0]}, ":rebalance_in_progress")
    assert streams[1].more == {"active": ["0_0", "0_1"], "standby": []}
    assert streams[2].more == {"stable": True}


BOTH = """\
[2026-11-20 09:15:02,000] INFO [Consumer clientId=pay-1, groupId=pay] consumer poll timeout has expired. (a.B)
[2026-11-20 09:15:02,010] INFO [GroupCoordinator 1]: Preparing to rebalance group pay in state PreparingRebalance with old generation 4 (__consumer_offsets-1) (reason: Removing member pay-1-a on LeaveGroup; client reason: {}) (k.GroupCoordinator)
[2026-11-20 09:15:05,000] INFO [GroupCoordinator 1]: Stabilized group pay generation 5 (__consumer_offsets-1) with 2 members (k.GroupCoordinator)
[2026-11-20 09:15:05,100] INFO [Consumer clientId=pay-2, groupId=pay] Successfully joined group with generation Generation{{generationId=5, memberId='pay-2-b', protocol='range'}} (a.B)
"""  # noqa: E501


@pytest.mark.parametrize("packs", [False, True])
def test_a_client_says_why_its_broker_removed_it_and_the_rebalance_counts_once(packs):
    text = BOTH.format("not provided")

    history = read_history(HistoryRequest(), [("both.log", text.encode())], packs=packs)

    (rebalance,) = history.rebalances
    assert (rebalance.cause, rebalance.alternatives, rebalance.source) == (
        "poll_timeout",
        (),
        "log",
    )
    assert [line.place for line in rebalance.evidence][-1] == "both.log:1"


def test_a_reason_that_the_broker_has_from_the_client_counts():
    text = BOTH.format("the consumer is being closed")

    (rebalance,) = read_history(HistoryRequest(), [("both.log", text.encode())]).rebalances

    assert rebalance.cause == "member_left"


LATER = """\
2026-11-20 09:15:02,102 - INFO - (Re-)joining group pay
2026-11-20 09:15:04,310 - INFO - Successfully joined group pay <Generation 12 (member_id: kp-a, protocol: range)>
2026-11-20 09:15:05,000 - WARNING - Heartbeat: local member_id was not recognized; this consumer needs to re-join
"""  # noqa: E501
BARE = """\
[09:15:02 DBG] [thrd:main]: JoinGroup response: GenerationId 9, Protocol range, LeaderId r-1, my MemberId r-2, 2 members in group: (no error)
[09:15:03 DBG] [thrd:main]: List with 1 partition(s):
[09:15:03 DBG] [thrd:main]:  orders [0] offset STORED
[09:15:04 WRN] [thrd:main]: Application maximum poll interval (300000ms) exceeded by 88ms: leaving group
"""  # noqa: E501
NEST = """\
LOG [ServerKafka] INFO [ConsumerGroup] Consumer has joined the group {"timestamp":"2026-11-20T09:15:04.310Z","extra":{"groupId":"pay","memberId":"m-1","memberAssignment":{"orders":[0]}}}
"""  # noqa: E501
OWNS = """\
{"log":"2026-11-20 09:15:02,100 INFO [Consumer clientId=pay-1, groupId=pay] Updating assignment with\\n"}
{"log":"\\tAssigned partitions:                       [orders-0, orders-1]\\n"}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("text", "library", "events"),
    [
        (LATER, "kafka-python", ["joining", "joined", "heartbeat_failed"]),
        (BARE, "librdkafka", ["joined", "assigned", "poll_timeout"]),
        (NEST, "kafkajs", ["joined", "assigned"]),
        (OWNS, "java", ["owns"]),
    ],
)
def test_texts_of_clients_are_found_in_other_surroundings(text, library, events):
    history = read_history(HistoryRequest(), [("client.log", text.encode())])

    assert [event.event for event in history.client_events] == events
    assert {event.library for event in history.client_events} == {library}
    held = [event.partitions for event in history.client_events if event.partitions]
    assert held in ([], [{"orders": [0]}], [{"orders": [0, 1]}])
    assert bool(held) == (library != "kafka-python")


def test_a_client_that_writes_no_generation_has_a_rebalance_for_each_round_it_joined():
    joined = KAFKAJS.splitlines(keepends=True)[1]
    second = joined.replace("04.310", "04.900").replace('"m-1"', '"m-2"')
    later = joined.replace("09:15:04", "09:20:00")

    history = read_history(HistoryRequest(), [("js.log", (joined + second + later).encode())])

    assert [event.document()["generation"] for event in history.rebalances] == [None, None]
    assert [event.chain for event in history.rebalances] == ["pay@?0", "pay@?1"]
    assert [event.document()["joined"] for event in history.rebalances] == [
        "2026-11-20T09:15:04.310Z",
        "2026-11-20T09:20:00.310Z",
    ]


def begun(cause, alternatives=(), member="c-B", at=10_000):
    trigger = Trigger(cause, at, "broker.log:1", Member(member, "c"), alternatives)
    return Rebalance(
        "pay", "classic", 5, cause=cause, alternatives=alternatives, triggers=[trigger]
    )


def says(event, member=None, at=10_500):
    return ClientEvent(
        at, event, "java", "client.log:1", "pay", "c", member_id=member, reason="closed"
    )


LEFT = ("member_left", ("poll_timeout",))
SAYS_A, SAYS_B = says("poll_timeout", "c-A"), says("poll_timeout", "c-B")
NAMELESS = says("poll_timeout")


@pytest.mark.parametrize(
    ("rebalance", "events", "cause"),
    [
        (begun("session_timeout"), [says("left", "c-A")], "session_timeout"),
        (begun("session_timeout"), [says("left", "c-B")], "session_timeout"),
        (begun(*LEFT), [SAYS_A], "member_left"),
        (begun(*LEFT), [SAYS_B], "poll_timeout"),
        (begun(*LEFT), [NAMELESS], "poll_timeout"),
        (begun(*LEFT), [NAMELESS, says("joined", "c-A", 1_000)], "member_left"),
        (begun(*LEFT), [NAMELESS, says("left", "c-A", 1_000)], "poll_timeout"),
        (begun(*LEFT), [says("poll_timeout", "c-B", 11_001)], "member_left"),
        (begun(*LEFT), [says("coordinator_lost", "c-B", 9_500), SAYS_B], "poll_timeout"),
    ],
)
def test_only_the_same_member_says_why_it_left_and_only_where_the_broker_is_unsure(
    rebalance, events, cause
):
    with_causes_of(events, [rebalance])

    assert (rebalance.cause, rebalance.triggers[0].cause) == (cause, cause)


def test_a_cause_that_is_not_the_first_triggers_stays():
    rebalance = begun(*LEFT)
    rebalance.decide("coordinator_moved")

    with_causes_of([SAYS_B], [rebalance])

    assert (rebalance.cause, rebalance.triggers[0].cause) == ("coordinator_moved", "member_left")


def test_a_member_of_the_same_client_that_joins_later_leaves_no_doubt():
    removed, again = begun(*LEFT), begun("member_joined", (), "c-C", 12_000)

    with_causes_of([NAMELESS], [removed, again])

    assert (removed.cause, again.cause) == ("poll_timeout", "member_joined")


JS_JOINED = (
    '{"level":"INFO","timestamp":"2026-11-20T09:15:04.310Z","logger":"kafkajs","message":'
    '"[ConsumerGroup] Consumer has joined the group","groupId":"pay","clientId":%s,'
    '"memberId":"m-1","generationId":%s}\n'
)


@pytest.mark.parametrize(
    ("text", "generation"),
    [("5", 5), ('"5"', 5), ("5.5", None), ("-1", None), ('"²"', None), ("[5]", None)],
)
def test_a_generation_of_kafkajs_is_a_number_or_its_digits(text, generation):
    (event,) = read(JS_JOINED % ('"c"', text)).client_events

    assert (event.generation, event.client_id, event.member_id) == (generation, "c", "m-1")


def test_a_generation_of_kafkajs_after_an_equals_sign_is_a_number():
    line = (
        "2026-11-20T09:15:04.310Z [ConsumerGroup] Consumer has joined the group"
        " groupId=pay memberId=m-1 generationId=5 isLeader=false\n"
    )

    history = read(line)

    assert [rebalance.generation for rebalance in history.rebalances] == [5]
    assert history.client_events[0].more == {}


@pytest.mark.parametrize(
    ("text", "client"), [("7", "7"), ("true", None), ('{"a":1}', None), ('""', None)]
)
def test_an_id_of_kafkajs_is_a_text(text, client):
    (event,) = read(JS_JOINED % (text, "5")).client_events

    assert event.client_id == client
