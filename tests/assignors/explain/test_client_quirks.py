"""Surprising behaviours of other clients, in groups where they strike and where they do not."""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.explain.quirks import quirks
from tests.assignors.groups import Member, group


def struck(client, name, snapshot):
    assignor = CLIENTS[client].assignors[name]()
    return [(quirk.name, quirk.member.tolist()) for quirk in quirks(snapshot, assignor, assignor.assign(snapshot))]


@pytest.mark.parametrize(("instance", "found"), [("i", [("Q-31", [0])]), (None, [])])
def test_a_dynamic_member_in_front_of_a_static_one_is_left_out_by_kafka_python(instance, found):
    snapshot = group({"t": 6}, C=Member("t"), A=Member("t", instance), B=Member("t"))

    assert struck("kafka-python", "range", snapshot) == found


@pytest.mark.parametrize(("topics", "found"), [("t u", []), ("t", [("Q-32", [1])])])
def test_kafkajs_gives_partitions_to_members_that_do_not_subscribe(topics, found):
    snapshot = group({"t": 1, "u": 1}, A=Member("t u"), B=Member(topics))

    assert struck("kafkajs", "roundrobin", snapshot) == found


@pytest.mark.parametrize(("rack", "found"), [("x", [("Q-34", [1])]), (None, [])])
def test_an_empty_rack_keeps_nothing_beside_a_member_with_a_rack(rack, found):
    snapshot = group({"t": 2}, A=Member("t", rack=rack), B=Member("t", owned="t-0"), racks={"t": ["x", "y"]})

    assert struck("librdkafka", "cooperative-sticky", replace(snapshot, has_empty_rack=np.array([False, True]))) == found


def test_librdkafka_leaves_a_topic_without_subscribers_with_its_owner():
    assert struck("librdkafka", "cooperative-sticky", group({"t": 1, "u": 1}, A=Member("t", owned="t-0 u-0"))) == [("Q-35", [0])]


def test_kafka_go_gives_the_last_member_the_longer_ranges():
    assert struck("kafka-go", "range", group({"t": 1, "u": 1}, A="t u", B="t u")) == [("Q-37", [1, 1])]


def test_racks_do_not_count_for_other_clients():
    snapshot = group({"t": 2}, A=Member("t", rack="x"), B=Member("t", rack="y"), racks={"t": ["y", "x"]})

    assert struck("aiokafka", "sticky", snapshot) == [("Q-10", [0, 1])]
