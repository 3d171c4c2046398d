"""Each source as a Spark data source."""

import pytest
from pyspark.errors import PySparkException

from evenkeel.data.group.tables import schemas
from evenkeel.data.pipeline.data_sources import register
from evenkeel.data.pipeline.ingest import parts

LISTING = """GROUP    TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST        CLIENT-ID
payments orders  0          90              100             10   pay-a        /10.4.1.17  pay-a
payments -       -          -               -               -    pay-b        /10.4.1.18  pay-b
payments orders  1          x               100             10   pay-a        /10.4.1.17  pay-a
"""  # noqa: E501
UNNAMED = (
    "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\norders 0 90 100"
    " 10 - - -\n"
)
DOCUMENT = (
    '{"format": "evenkeel.group/1", "group_id": "g", "topics": [{"name": "t", "partitions": 3}], '
    '"members": [{"member_id": "a", "subscribed": ["t"]}]}'
)


@pytest.fixture
def load(spark, tmp_path):
    """Return a function (format, text, table, options) -> rows."""
    register(spark)

    def rows(name, text, table, **options):
        path = tmp_path / "input.txt"
        path.write_text(text)
        return spark.read.format(name).options(table=table, **options).load(str(path)).collect()

    return rows


def test_the_option_table_chooses_what_a_listing_shows(load):
    offsets = load("evenkeel-listing", LISTING, "OFFSETS")
    members = load("evenkeel-listing", LISTING, "MEMBERS")
    rejected = load("evenkeel-listing", LISTING, "REJECTED")

    assert [(row.group_id, row.topic, row.partition, row.source_line) for row in offsets] == [
        ("payments", "orders", 0, 2)
    ]
    assert [(row.member_id, row.source_line) for row in members] == [("pay-b", 3)]
    assert [row.source_line for row in rejected] == [4]


def test_options_say_what_a_listing_does_not(load):
    row = load(
        "evenkeel-listing",
        UNNAMED,
        "OFFSETS",
        group_id="payments",
        taken_at="2026-11-20T08:00:00+00:00",
    )[0]

    assert (row.group_id, row.taken_at.isoformat()) == ("payments", "2026-11-20T08:00:00")


def test_a_big_listing_is_read_in_ranges_with_the_header_of_the_first(load, monkeypatch):
    monkeypatch.setattr(parts, "TASK_BYTES", 100)
    lines = "".join(f"payments orders {partition} 90 100 10 - - -\n" for partition in range(100))

    rows = load("evenkeel-listing", LISTING.partition("\n")[0] + "\n" + lines, "OFFSETS")

    assert sorted((row.partition, row.source_line) for row in rows) == [
        (partition, partition + 2) for partition in range(100)
    ]


def test_group_documents_and_tables_with_a_header_are_sources_too(load):
    topics = load("evenkeel-document", DOCUMENT, "TOPICS")
    offsets = load("evenkeel-delimited", "topic,partition,lag\norders,0,548\n", "OFFSETS")

    assert [(row.topic, row.partition_count) for row in topics] == [("t", 3)]
    assert [(row.topic, row.listed_lag) for row in offsets] == [("orders", 548)]


def test_an_unknown_table_is_named(load):
    with pytest.raises(
        PySparkException,
        match=(
            "option table is 'LAGS', expected one of OFFSETS, MEMBERS, TOPICS, TASKS, CONSUMERS,"
            " REJECTED"
        ),
    ):
        load("evenkeel-listing", LISTING, "LAGS")


def test_every_table_has_the_columns_of_its_schema(spark, tmp_path):
    register(spark)

    for name, schema in schemas.TABLES.items():
        assert (
            spark.read.format("evenkeel-listing").option("table", name).load(str(tmp_path)).columns
            == schema.names
        )
