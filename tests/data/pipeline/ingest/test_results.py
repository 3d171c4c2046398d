"""Results of what tasks wrote."""

import pytest

from evenkeel.data.group.document import decode
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.writing import read_parts, write
from evenkeel.data.pipeline.ingest.on_spark import write_results
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import START
from tests.data.lake.test_one_process import DOCUMENT

NO_SPARK = None
LISTING = b"""GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
payments orders 2 1 2 1 - - -
GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT
payments c-1 /10.0.0.1 c 1 orders(2)
"""


@pytest.fixture
def lake(tmp_path):
    return place_of(tmp_path)


def _done(parsed, place, lake):
    return write(parsed, {}, place, lake, "b")


def test_group_documents_name_their_owners_so_spark_joins_nothing(lake):
    done = _done(rows_of([(1, decode(DOCUMENT))], "payments.json", START), 0, lake)

    results = write_results(NO_SPARK, lake, "b", [done])

    assert (done.owner_is_null, done.has_claims) == (True, True)
    assert set(results) == {"LAG", "MEMBER_LOAD", "GROUP_LOAD"}


def test_a_listing_without_owners_beside_a_document_is_joined_with_its_members_without_spark(lake):
    of_document = _done(rows_of([(1, decode(DOCUMENT))], "payments.json", START), 0, lake)
    of_listing = _done(listing.parse(LISTING, "listing.txt"), 1, lake)

    results = write_results(NO_SPARK, lake, "b", [of_document, of_listing])

    assert read_parts("LAG", results["LAG"], lake).select(["partition", "member_id"]).to_pylist()[
        -1
    ] == {
        "partition": 2,
        "member_id": "c-1",
    }
