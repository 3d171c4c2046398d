"""Our assignors against real groups: what the coordinator reports is what we answer, at every
stable point.
"""

import msgspec
import pytest

from evenkeel.data.live.replay import replay
from tests.data.live.histories import STEPS, answer_to, targets

_CLASSIC = ("range", "roundrobin", "sticky", "cooperative-sticky")
_OF_THE_BROKER = ("uniform", "broker-range", "simple")
_steps = pytest.mark.parametrize("step", STEPS)


@_steps
@pytest.mark.parametrize("protocol", _CLASSIC)
def test_kafka_agrees_with_the_replay_of_what_the_members_sent(history, protocol, step):
    document = history[protocol, step]

    replayed = replay(document)

    assert replayed is not None
    assert replayed.agrees, msgspec.json.encode(document)


@_steps
@pytest.mark.parametrize("protocol", _OF_THE_BROKER)
def test_the_brokers_target_is_our_answer_to_the_target_before(history, protocol, step):
    place = STEPS.index(step)
    before = history[protocol, STEPS[place - 1]] if place else None

    assert answer_to(history[protocol, step], protocol, before) == targets(history[protocol, step])


@pytest.mark.parametrize("protocol", _CLASSIC)
def test_a_classic_member_is_read_with_its_rack_instance_id_client_id_and_topics(history, protocol):
    members = {
        member.client_id: member for member in history[protocol, "another subscription"].members
    }

    assert {
        name: (member.rack, member.instance_id, member.subscribed)
        for name, member in members.items()
    } == {
        f"{protocol}-0": ("a", None, ["orders", "payments"]),
        f"{protocol}-1": ("b", f"{protocol}-static-1", ["orders", "payments"]),
        f"{protocol}-2": ("c", None, ["orders", "payments"]),
        f"{protocol}-3": ("a", f"{protocol}-static-3", ["orders"]),
    }


def test_the_topics_carry_ids_sizes_and_the_racks_of_their_replicas(history):
    topics = {topic.name: topic for topic in history["range", "one member"].topics}

    assert {name: (len(topic.topic_id), topic.size) for name, topic in topics.items()} == {
        "orders": (22, 7),
        "payments": (22, 4),
    }
    assert all(
        len(set(partition.racks)) == 2 and set(partition.racks) <= {"a", "b", "c"}
        for partition in topics["orders"].partitions
    )
