"""Other clients' own code, recorded in tests/recorded/clients: our answer is theirs, or one of
theirs where it says that there are several.
"""

from collections import Counter

import msgspec
import pytest

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.document import Document
from tests.recorded.clients.reading import Recorded, recorded, spelled_owners

EXACT, ONE_OF_SEVERAL, NO_FUNCTION = "exact", "one of several", "RequestError"
EVERY = {EXACT: 600}
BY_LEADER = {EXACT: 276, ONE_OF_SEVERAL: 324}
FRANZ_GO = {EXACT: 284, ONE_OF_SEVERAL: 29, NO_FUNCTION: 287}
EXPECTED = {
    "go": {
        ("franz-go", "range"): EVERY,
        ("franz-go", "roundrobin"): EVERY,
        ("franz-go", "sticky"): FRANZ_GO,
        ("franz-go", "cooperative-sticky"): FRANZ_GO,
        ("sarama", "range"): EVERY,
        ("sarama", "roundrobin"): EVERY,
        ("kafka-go", "range"): EVERY,
        ("kafka-go", "roundrobin"): EVERY,
    },
    "javascript": {
        ("kafkajs", "roundrobin"): BY_LEADER,
        ("platformatic", "roundrobin"): BY_LEADER,
        ("platformatic", "cooperative-sticky"): {EXACT: 313, ONE_OF_SEVERAL: 287},
    },
    "aiokafka": dict.fromkeys(
        [("aiokafka", name) for name in ("range", "roundrobin", "sticky")], EVERY
    ),
}


def verdict(one: Recorded) -> str:
    """Say how our answer stands to theirs; a wrong one is spelled out."""
    observed = observed_from_document(msgspec.convert(one.group, Document))
    try:
        answer = CLIENTS[one.client].assignors[one.assignor]().assign(observed.snapshot)
    except AssignorError as error:
        return EXACT if one.answers == [error.java_class] else error.java_class
    ours = spelled_owners(one.group, assignment_by_name(observed, answer))
    if answer.assumed and ours in one.answers:
        return ONE_OF_SEVERAL
    return EXACT if one.answers == [ours] else f"{ours}, theirs {one.answers}, of {one.group}"


@pytest.mark.parametrize("file", EXPECTED)
def test_an_answer_is_not_that_of_the_clients_own_code(file):
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in recorded(file):
        found.setdefault((one.client, one.assignor), Counter())[verdict(one)] += 1

    assert found == EXPECTED[file]
