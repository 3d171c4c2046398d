"""A group that is too large is refused before anything of its size is made."""

import tracemalloc

import pytest

from data.columns import group_keys, observed_from_tables
from data.budget import Footprint, TooLargeError
from data.configuration import Configuration
from data.sources.reading import read

DOCUMENT = (
    b'{"format":"evenkeel.group/1","group_id":"g","topics":[{"name":"t","partitions":10000000}],"members":[{"member_id":"a","subscribed'
    b'":["t"],"owned":{"t":[0]}}]}'
)
LINES = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n" + b"".join(
    b"g t%d 999999 1 2 1 - - -\n" % number for number in range(9)
)


@pytest.mark.parametrize("text", [DOCUMENT, LINES])
def test_a_few_bytes_that_stand_for_millions_of_partitions_are_refused_at_once(text):
    parsed = read([("group", text)])
    tables = (parsed.offsets, parsed.members, parsed.topics)
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError) as refusal:
            observed_from_tables(*tables, *group_keys(*tables)[0], budget=Configuration().budget)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 5_000_000
    assert "partitions and" in str(refusal.value)
    assert "MB ([limits] group). The command line takes it: evenkeel compare PATH" in str(refusal.value)


def test_a_million_partitions_of_two_thousand_members_fit_by_default():
    assert Footprint(1_000_000, 2_000, 1_000_000, 500, 2_000).byte_count <= Configuration().budget.group_bytes


def test_many_members_and_claims_count_too():
    assert Footprint(1, 1_000_000, 0, 1, 1).byte_count > Configuration().budget.group_bytes
    assert Footprint(1, 1, 50_000_000, 1, 1).byte_count > Configuration().budget.group_bytes
    assert Footprint(1, 1, 0, 100_000, 100_000).byte_count > Configuration().budget.group_bytes
