"""Two topics whose ids meet in one bucket of Java's maps: there the coordinator's order of a
member's topics decides what it gives up.
"""

import numpy as np
import pytest

from evenkeel.assignors.java.collections import spread_bits
from evenkeel.assignors.java.hashing import uuid_hashes
from evenkeel.data.group.columns.rows import uuid_halves
from evenkeel.data.live.reading.topics import topics
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import answer_to, stable_document, targets
from tests.waiting import until

_NAMES = [f"ordered.{letter}" for letter in "abcdefghijklmnop"]
"""Java's sets hold these names in this order; among 16 random ids two share one of 16 buckets in
all runs but one of a million.
"""


@pytest.fixture
def met(broker):
    """A connection to a broker, and two topics of 2 partitions that share a bucket."""
    connection = connected(broker, "local")
    for name in _NAMES:
        create_topic(connection.admin, name, 2)
    found = until(lambda: _found(connection))
    buckets = {}
    for name in _NAMES:
        buckets.setdefault(_bucket(found[name].topic_id), []).append(name)
    yield connection, next(names[:2] for names in buckets.values() if len(names) > 1)
    for deleted in connection.admin.delete_topics(_NAMES).values():
        deleted.exception()
    connection.close()


def test_a_member_keeps_the_topic_that_the_coordinator_gives_first_even_if_later_by_name(
    met,
):
    connection, (first, later) = met
    with OtherConsumers(connection.profile.settings["bootstrap.servers"]) as consumers:
        consumers.start_librdkafka(
            "ordered-0", [first, later], "ordered", group_protocol="consumer"
        )
        alone = stable_document(connection, "ordered", 1)
        consumers.start_librdkafka(
            "ordered-1", [first, later], "ordered", group_protocol="consumer"
        )
        two = stable_document(connection, "ordered", 2)

    target = {member.client_id: member.owned for member in two.members}
    assert list(alone.members[0].owned) == [later, first]
    assert target == {"ordered-0": {later: [0, 1]}, "ordered-1": {first: [0, 1]}}
    assert answer_to(two, "uniform", alone) == targets(two)


def _found(connection):
    found, _ = topics(connection, _NAMES)
    return found if found.keys() >= set(_NAMES) else None


def _bucket(topic_id):
    return int(spread_bits(uuid_hashes(np.array([uuid_halves(topic_id)])))[0]) % 16
