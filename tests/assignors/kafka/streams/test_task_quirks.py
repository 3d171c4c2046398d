"""Behaviours that surprise in answers about tasks."""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.group.application import UNKNOWN_SUM
from evenkeel.assignors.kafka.streams.task_quirks import DETECTORS, SENTENCES, task_quirks
from tests.assignors.applications import Client, application
from tests.assignors.documentation import behaviours

RACKS = {"0.0": [0], "0.1": [0], "0.2": [0], "0.3": [0]}


def struck(name: str, snapshot, **settings) -> dict:
    assignor = TASK_ASSIGNORS[name](**settings)
    found = task_quirks(snapshot, assignor, assignor.assign(snapshot))
    return {quirk.name: (quirk.process.tolist(), quirk.task.tolist()) for quirk in found}


def test_every_behaviour_that_an_assignor_names_has_a_sentence_and_a_paragraph():
    named = {quirk for assignor in TASK_ASSIGNORS.values() for quirk in assignor.quirks}

    assert named == set(SENTENCES)
    assert named <= behaviours()
    assert named - set(DETECTORS) == {"Q-13", "Q-15"}


def test_a_process_that_knows_no_offsets_takes_a_task_over():
    # The third process is meant to run 0.2 and has nothing of it; the second one's offsets are
    # unknown, so it counts as nearest.
    clients = [Client({"0.0": -2}), Client({"0.1": -2, "0.2": UNKNOWN_SUM}), Client()]

    assert struck(
        "high-availability",
        application("0.0 0.1 0.2", "0.0 0.1 0.2", clients, 1000),
        acceptable_recovery_lag=0,
    )["Q-14"] == (
        [1],
        [2],
    )


def test_a_stateless_task_leaves_the_process_that_ran_it():
    snapshot = application("0.0 0.1", "", [Client(owned=["0.1"]), Client(owned=["0.0"])])

    assert struck("high-availability", snapshot)["Q-16"] == ([0, 1], [0, 1])


def test_a_tag_that_is_not_configured_keeps_standbys_where_they_are():
    clients = [
        Client(tags={"zone": "a", "odd": "x"}),
        Client(tags={"zone": "b"}),
        Client(tags={"zone": "c"}),
    ]
    settings = {"rack_aware_assignment_tags": ("zone",), "num_standby_replicas": 1}

    assert struck("high-availability", application("0.0", "0.0", clients), **settings)["Q-17"] == (
        [0],
        [],
    )
    assert "Q-17" not in struck(
        "high-availability", application("0.0", "0.0", clients[1:]), **settings
    )


def test_a_process_id_with_a_high_first_digit_comes_first():
    snapshot = application("0.0", "0.0", [Client(process_id=(5, 0)), Client(process_id=(-5, 0))])

    assert struck("high-availability", snapshot) == {"Q-20": ([1], [])}


@pytest.mark.parametrize(("cost", "strikes"), [(None, True), (1, False)])
def test_the_public_class_ignores_racks_without_both_costs(cost, strikes):
    snapshot = application(
        "0.0", "0.0", [Client(rack=0), Client(rack=1)], source=RACKS, changelog=RACKS
    )
    settings = {
        "rack_aware_assignment_traffic_cost": 1,
        "rack_aware_assignment_non_overlap_cost": cost,
    }

    found = struck(
        "streams-sticky", snapshot, rack_aware_assignment_strategy="min_traffic", **settings
    )

    assert ("Q-19" in found) == strikes


def test_standbys_of_the_public_class_are_drawn_by_lot_where_there_are_several():
    clients = [Client(), Client()]

    assert "Q-21" in struck(
        "streams-sticky", application("0.0 0.1", "0.0 0.1", clients), num_standby_replicas=1
    )
    assert (
        struck("streams-sticky", application("0.0", "0.0", clients), num_standby_replicas=1) == {}
    )
    assert struck("streams-sticky", application("0.0 0.1", "0.0 0.1", clients)) == {}


def test_tags_are_no_veto_where_the_public_class_looks_at_racks():
    snapshot = application(
        "0.0", "0.0", [Client(rack=0), Client(rack=1)], source=RACKS, changelog=RACKS
    )
    costs = {"rack_aware_assignment_traffic_cost": 1, "rack_aware_assignment_non_overlap_cost": 1}
    settings = {
        "rack_aware_assignment_strategy": "min_traffic",
        "rack_aware_assignment_tags": ("zone",),
        "num_standby_replicas": 1,
    }

    assert "Q-22" in struck("streams-sticky", snapshot, **costs, **settings)


def test_a_task_moves_between_racks_that_are_as_near():
    ran = [Client(rack=0), Client(rack=0, owned=["0.0", "0.1"])]
    snapshot = application("0.0 0.1", "0.0 0.1", ran, source=RACKS, changelog=RACKS)

    found = struck(
        "high-availability",
        snapshot,
        rack_aware_assignment_strategy="balance_subtopology",
        acceptable_recovery_lag=2**63 - 1,
    )

    assert found["Q-18"] == ([0], [0])


def test_a_broker_passes_over_a_keeper_because_the_first_one_runs_the_task():
    """Kafka 4.3.1: 0_0 stays on its first keeper, and its copy goes to the process without
    state.
    """
    snapshot = replace(
        application("0.0 0.1", "0.0", [Client(), Client(), Client(owned=["0.1"])]),
        standby_member=np.array([0, 2], dtype=np.int32),
        standby_task=np.array([0, 0], dtype=np.int32),
    )
    answer = TASK_ASSIGNORS["streams-group-sticky"](num_standby_replicas=1).assign(snapshot)

    assert (answer.active.tolist(), answer.standby.tolist()) == ([0, 2], [[1, 0]])
    assert struck("streams-group-sticky", snapshot, num_standby_replicas=1) == {"Q-30": ([2], [0])}
