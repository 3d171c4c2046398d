"""A broker crashes: the connection that is open goes on with those that took over, and their logs
tell what it did to a group.
"""

import signal
from contextlib import ExitStack

import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.topics import create_topic
from tests.waiting import until

_GROUPS = [f"group-{number:02}" for number in range(12)]
_WHOLE = (
    [(group_id, 0, 0, None) for group_id in _GROUPS],
    [(group_id, [(0, 0)] * 6, []) for group_id in _GROUPS],
)
_LIMIT_SECONDS = 240


@pytest.fixture(scope="module")
def brokers():
    """Three brokers with one topic and twelve groups, which all of them keep."""
    with Brokers(racks=[None, None, None]) as started:
        admin = AdminClient({"bootstrap.servers": started.bootstrap()})
        create_topic(admin, "orders", 6, replicas=3)
        for group_id in _GROUPS:
            commit(admin, group_id, {("orders", number): 0 for number in range(6)})
        yield started


@pytest.mark.timeout(2 * _LIMIT_SECONDS + 120)
@pytest.mark.parametrize("crashed", [1, 2])
def test_lists_and_documents_are_whole_again_after_a_broker_crashed(brokers, crashed):
    brokers.start()
    connection = connected(brokers, "three")
    # Brokers that have just started, or started again, elect their leaders first.
    before = _last_state(connection)
    brokers.stop(signal.SIGKILL, crashed)

    after = _last_state(connection)

    assert before == _WHOLE
    assert after == before
    connection.close()


def test_a_coordinator_that_the_cluster_no_longer_names_is_asked_for_again(brokers):
    brokers.start()
    connection = connected(brokers, "three")
    _last_state(connection)
    # As after a crash whose broker has left the metadata before anybody asked again.
    connection.raw._coordinators |= dict.fromkeys(_GROUPS, 99)

    assert _state(connection) == _WHOLE
    connection.close()


@pytest.mark.timeout(_LIMIT_SECONDS)
def test_a_rebalance_after_the_coordinator_crashed_is_told_by_the_logs_of_both_brokers(brokers):
    brokers.start()
    members = [
        Consumer(_MEMBER | {"bootstrap.servers": brokers.bootstrap(), "client.id": f"moves-{name}"})
        for name in "ab"
    ]
    with ExitStack() as opened:
        for one in members:
            opened.callback(one.close)
            one.subscribe(["orders"])
        _polled(members, lambda: all(len(one.assignment()) == 3 for one in members))
        admin = AdminClient({"bootstrap.servers": brokers.bootstrap(), "log_level": 0})
        brokers.stop(
            signal.SIGKILL,
            admin.describe_consumer_groups(["moves"])["moves"].result().coordinator.id,
        )
        logs = [node.folder / "output.log" for node in brokers.nodes]
        # librdkafka's members come back under new ids.
        _polled(members, lambda: len({one.coordinator for one in _rebalances(logs)}) == 2)
    told = _rebalances(logs)

    first = next(one for one in told if one.coordinator != told[0].coordinator)
    assert [one.cause for one in told[: told.index(first)]] == ["member_joined"] * told.index(first)
    assert (first.cause, first.alternatives, first.triggers[0].cause) == (
        "coordinator_moved",
        (),
        "member_joined",
    )
    assert first.evidence[0].text == "Loaded classic group moves with 2 members."


_MEMBER = {
    "group.id": "moves",
    "session.timeout.ms": 6_000,
    "heartbeat.interval.ms": 300,
    "log_level": 0,
}


def _rebalances(logs):
    return read_history(HistoryRequest("moves"), logs).events


def _polled(members, is_so):
    """Let members poll until this is so."""
    until(
        lambda: [one.poll(0.05) for one in members] and is_so(),
        seconds=_LIMIT_SECONDS / 3,
        pause=0.2,
    )


def _last_state(connection):
    """Return what is read once all of it is there; a read that fails names the cluster."""
    read = []

    def is_whole() -> bool:
        try:
            read[:] = [_state(connection)]
        except SnapshotError as error:
            assert str(error).startswith("cluster three: ")
        return read == [_WHOLE]

    until(is_whole, seconds=_LIMIT_SECONDS, pause=0.2)
    return read[0]


def _state(connection):
    rows = [
        (row["group_id"], row["lag"], row["unknown_lag_count"], row["problem"])
        for row in group_list(connection).to_pylist()
    ]
    read = live_groups(connection, chosen_groups(connection, _GROUPS))
    return rows, [
        (
            one.group_id,
            [
                (part.end_offset, part.committed_offset)
                for topic in one.document.topics
                for part in topic.partitions
            ],
            one.problems,
        )
        for one in read
    ]
