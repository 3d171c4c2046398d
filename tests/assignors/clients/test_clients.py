"""What every assignor of every client promises, whatever its strategy."""

import numpy as np
import pytest
from hypothesis import given, note, settings

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.compare.quirks import DETECTORS
from evenkeel.assignors.protocol import NOT_OFFERED, no_function, not_offered
from tests.assignors.documentation import behaviours, undocumented_clients
from tests.assignors.groups import group, spelled
from tests.assignors.test_contract import spelled_or_error, write_protected
from tests.generated.groups import groups

OTHERS = [
    (client, name)
    for client, family in CLIENTS.items()
    for name in family.assignors
    if client != JAVA
]
ASSIGNORS_OF_CLIENTS = [(JAVA, "range"), *OTHERS]
every_assignor = pytest.mark.parametrize(("client", "name"), ASSIGNORS_OF_CLIENTS)
some_examples = settings(max_examples=30)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_has_its_own_assignors_under_the_names_of_javas(client):
    assert set(CLIENTS[client].assignors) <= set(CLIENTS[JAVA].assignors)
    assert not set(CLIENTS[client].assignors) & set(CLIENTS[client].no_function)
    for name, assignor in CLIENTS[client].assignors.items():
        assert (assignor.name, assignor.client, assignor.group_type) == (name, client, "classic")
        assert (assignor.checks_topics, assignor.is_in_kafka) == (client == JAVA, True)


@pytest.mark.parametrize("client", CLIENTS)
def test_every_behaviour_of_a_clients_assignor_can_be_detected_and_is_documented(client):
    quirks = {quirk for assignor in CLIENTS[client].assignors.values() for quirk in assignor.quirks}

    assert quirks <= DETECTORS.keys()
    assert quirks - {"remainder"} <= behaviours()


def test_every_client_is_documented():
    assert undocumented_clients(CLIENTS) == []


def test_javas_assignors_are_those_of_the_registry():
    assert {name: ASSIGNORS[name] for name in CLIENTS[JAVA].assignors} == CLIENTS[JAVA].assignors


@some_examples
@given(groups())
def test_the_input_is_not_changed_and_two_calls_give_one_answer(snapshot):
    write_protected(snapshot)
    for client, name in ASSIGNORS_OF_CLIENTS:
        note(f"{client} {name}")
        assignor = CLIENTS[client].assignors[name]()

        assert spelled_or_error(assignor, snapshot) == spelled_or_error(assignor, snapshot)


@some_examples
@given(groups())
def test_owners_exist(snapshot):
    for client, name in ASSIGNORS_OF_CLIENTS:
        note(f"{client} {name}")
        require_owners(client, name, snapshot)


def require_owners(client, name, snapshot):
    try:
        answer = CLIENTS[client].assignors[name]().assign(snapshot)
    except AssignorError:
        return

    assert answer.owner.dtype == np.int32
    assert answer.owner.shape == (snapshot.tp_count,)
    assert ((answer.owner >= UNASSIGNED) & (answer.owner < snapshot.member_count)).all()
    for column in (answer.extra[:, 0], answer.withheld[:, 0]):
        assert ((column >= 0) & (column < snapshot.member_count)).all()
    assert ((answer.withheld[:, 1] >= 0) & (answer.withheld[:, 1] < snapshot.tp_count)).all()


@every_assignor
def test_equal_subscriptions_of_dynamic_members_share_one_topic_evenly(client, name):
    snapshot = group({"t": 4}, A="t", B="t")

    counts = sorted(
        len(tps.split())
        for tps in spelled(snapshot, CLIENTS[client].assignors[name]().assign(snapshot)).values()
    )
    assert counts == [2, 2]


@pytest.mark.parametrize(
    ("gap", "error", "reason"),
    [
        (
            not_offered("librdkafka", "sticky", "sticky", ["range"]),
            NOT_OFFERED,
            "librdkafka has no sticky assignor; it offers range",
        ),
        (
            no_function("sarama", "sticky", "sticky", "it walks Go maps"),
            "RequestError",
            "sticky of sarama is not a function of the inputs: it walks Go maps",
        ),
    ],
)
def test_a_gap_says_why_it_has_no_answer(gap, error, reason):
    with pytest.raises(AssignorError, match=reason) as raised:
        gap().assign(group({"t": 1}, A="t"))

    assert raised.value.java_class == error
