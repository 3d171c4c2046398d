"""Our assignors against real groups: what the coordinator reports is what we answer, at every stable point."""

import msgspec
import pytest

from assignors import ASSIGNORS
from data.columns import assignment_by_name, observed_from_document
from data.live.replay import replay
from tests.data.live.histories import STEPS

_CLASSIC = ("range", "roundrobin", "sticky", "cooperative-sticky")
_OF_THE_BROKER = ("uniform", "broker-range", "simple")
_steps = pytest.mark.parametrize("step", STEPS)


@_steps
@pytest.mark.parametrize("protocol", _CLASSIC)
def test_kafka_agrees_with_the_replay_of_what_the_members_sent(history, protocol, step):
    document = history[protocol, step]

    replayed = replay(document)

    assert replayed is not None and replayed.agrees, msgspec.json.encode(document)


@_steps
@pytest.mark.parametrize("protocol", _OF_THE_BROKER)
def test_the_brokers_target_is_our_answer_to_the_target_before(history, protocol, step):
    document = history[protocol, step]
    place = STEPS.index(step)
    before = {member.member_id: member.owned for member in history[protocol, STEPS[place - 1]].members} if place else {}
    members = [msgspec.structs.replace(member, owned=before.get(member.member_id)) for member in document.members]

    observed = observed_from_document(msgspec.structs.replace(document, members=members))
    answered = assignment_by_name(observed, ASSIGNORS[protocol]().assign(observed.snapshot))

    assert _in_order(answered) == _in_order({member.member_id: member.owned for member in document.members})


@pytest.mark.parametrize("protocol", _CLASSIC)
def test_a_classic_member_is_read_with_its_rack_instance_id_client_id_and_topics(history, protocol):
    members = {member.client_id: member for member in history[protocol, "another subscription"].members}

    assert {name: (member.rack, member.instance_id, member.subscribed) for name, member in members.items()} == {
        f"{protocol}-0": ("a", None, ["orders", "payments"]),
        f"{protocol}-1": ("b", f"{protocol}-static-1", ["orders", "payments"]),
        f"{protocol}-2": ("c", None, ["orders", "payments"]),
        f"{protocol}-3": ("a", f"{protocol}-static-3", ["orders"]),
    }


def test_the_topics_carry_ids_sizes_and_the_racks_of_their_replicas(history):
    topics = {topic.name: topic for topic in history["range", "one member"].topics}

    assert {name: (len(topic.topic_id), topic.size) for name, topic in topics.items()} == {"orders": (22, 7), "payments": (22, 4)}
    assert all(len(set(partition.racks)) == 2 and set(partition.racks) <= {"a", "b", "c"} for partition in topics["orders"].partitions)


def _in_order(owned):
    return {member: {topic: sorted(numbers) for topic, numbers in (topics or {}).items() if numbers} for member, topics in owned.items()}
