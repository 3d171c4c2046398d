import pytest

from data.sources.separated.header import header_in
from data.sources.separated.synonyms import guessed_places

KAFKA_UI = "Topic,Partition,Consumer ID,Host,Consumer lag,Current offset,End offset"


@pytest.mark.parametrize(
    "header, columns",
    [
        (KAFKA_UI, ["topic", "partition", "member_id", "host", "listed_lag", "committed_offset", "end_offset"]),
        ("GROUP_ID;topic-name;Partition Id;OFFSET;logSize", ["group_id", "topic", "partition", "committed_offset", "end_offset"]),
        (
            "consumergroup\ttopic\t#\tconsumer_offset\thighwatermark\tmessages_behind",
            ["group_id", "topic", "partition", "committed_offset", "end_offset", "listed_lag"],
        ),
        (
            "snapshot_ts,consumer_group_id,topic,pid,low_watermark,hwm,client,member_host",
            ["taken_at", "group_id", "topic", "partition", "begin_offset", "end_offset", "client_id", "host"],
        ),
        (
            "Consumer Group,Lag,Log End Offset,Current Offset,Consumer,Instance,Client,Topic,Partition",
            ["group_id", "listed_lag", "end_offset", "committed_offset", "member_id", "instance_id", "client_id", "topic", "partition"],
        ),
    ],
)
def test_columns_are_known_by_their_synonyms(header, columns):
    layout = header_in([header.encode()])

    assert [name for name, _ in sorted(layout.mapping.items(), key=lambda item: item[1])] == columns


def test_of_two_columns_of_one_meaning_the_clearer_name_counts():
    assert guessed_places(["offset", "committed", "consumer", "consumer_id", "topic", "partition"]) == {
        "committed_offset": 1,
        "member_id": 3,
        "topic": 4,
        "partition": 5,
    }


def test_a_line_with_a_cell_too_long_for_a_table_is_no_header():
    assert header_in([b"topic," + b"x" * 140_000]) is None


def test_a_header_longer_than_a_cell_may_be_is_cut_at_its_separator():
    cells = ["topic", "partition", *(f"c{number}" for number in range(30_000))]

    assert header_in([";".join(cells).encode()]).separator == ";"
