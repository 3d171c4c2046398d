"""The broker's assignors: Kafka's own test scenarios, and the arrays against the words of the
specification and the records that Kafka writes.
"""

import hashlib
from collections import Counter

import pytest
from hypothesis import given, note, settings

from tests.assignors.asking import ask
from tests.generated.documents import group_documents
from tests.literal.broker_input import LiteralError
from tests.literal.simple import literal_simple
from tests.literal.uniform import literal_range, literal_uniform
from tests.recorded import vectors
from tests.recorded.scenarios import as_sets, scenarios

LITERAL = {"uniform": literal_uniform, "broker-range": literal_range, "simple": literal_simple}

RECORDS = {
    "uniform equal full": "be451c27d12dfbf0",
    "uniform equal join": "81c411b05a3efc21",
    "uniform equal leave": "630db82bd380b9f7",
    "broker-range equal full": "338c0c7ea78d866c",
    "broker-range equal join": "e06d508273483e4e",
    "broker-range equal leave": "ff052a82f652738b",
    "uniform differing full": "1644e5ce24f3f26a",
    "uniform differing join": "631af26a08915e50",
    "uniform differing leave": "ccd1d0d8ebe332c5",
    "broker-range differing full": "23e374b45c207cba",
    "broker-range differing join": "e2c89dacaf5195bd",
    "broker-range differing leave": "e161ea188e457c92",
}
"""Digests of topics and partitions in the order in which Kafka 4.3.1 writes them."""


@pytest.mark.parametrize(
    "scenario",
    [each for each in scenarios() if each.assignor in ("uniform", "broker-range", "simple")],
    ids=str,
)
def test_a_scenario_of_kafkas_tests_ends_otherwise(scenario):
    answer = ask(scenario.assignor, scenario.group)

    assert scenario.agrees_with(answer), answer


def test_middle_sized_groups_get_kafkas_digests():
    differing = [name for name, found, expected in vectors.broker(ask) if found != expected]

    assert differing == []


def test_a_large_sample_is_complete_valid_and_even():
    topics = [f"topic{number}" for number in range(1, 100)]
    members = [{"member_id": f"member{number}", "subscribed": topics} for number in range(1, 50)]
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": topic, "partitions": 3} for topic in topics],
        "members": members,
    }

    held = ask("uniform", group)["assignment"]

    owners = Counter(
        (topic, number)
        for topics in held.values()
        for topic, numbers in topics.items()
        for number in numbers
    )
    assert owners == Counter({(topic, number): 1 for topic in topics for number in range(3)})
    sizes = [sum(map(len, topics.values())) for topics in held.values()]
    assert (min(sizes), max(sizes)) == (6, 7)


@settings(max_examples=200)
@given(group_documents(stored=True))
def test_an_assignor_answers_as_the_specification_words_it(document):
    for assignor, literal in LITERAL.items():
        note(assignor)

        answer = ask(assignor, document)

        try:
            expected = as_sets(literal(document))
        except LiteralError as error:
            expected = str(error)
        assert (
            answer["error"]["type"] if answer["error"] else as_sets(answer["assignment"])
        ) == expected


@settings(max_examples=100)
@given(group_documents(stored=True))
def test_uniform_of_4_0_0_leaves_the_extra_places_with_the_first_members(document):
    answer = ask("uniform", document, kafka_version="4.0.0")

    try:
        expected = as_sets(literal_uniform(document, gives_back=False))
    except LiteralError as error:
        expected = str(error)
    assert (
        answer["error"]["type"] if answer["error"] else as_sets(answer["assignment"])
    ) == expected


def test_the_literal_reading_writes_kafkas_records(monkeypatch):
    def literally(assignor, group):
        return {
            "assignment": {member["member_id"]: {} for member in group["members"]}
            | LITERAL[assignor](group)
        }

    monkeypatch.setattr(vectors, "broker_digest", in_order)

    assert {name: digest for name, digest, _ in vectors.broker(literally)} == RECORDS


def in_order(answer):
    """Digest of the lists as they stand."""
    held = {
        member: {topic: ",".join(map(str, numbers)) for topic, numbers in topics.items()}
        for member, topics in answer["assignment"].items()
    }
    lines = "".join(
        f"{member}:{';'.join(f'{topic}={numbers}' for topic, numbers in held[member].items())}\n"
        for member in sorted(held)
    )
    return hashlib.sha256(lines.encode()).hexdigest()[:16]
