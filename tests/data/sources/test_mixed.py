"""A paste with blocks of several tools: each block is read, and no line is lost."""

from itertools import permutations

import pytest

from evenkeel.data.group.tables.row_lag import lag_of_row
from evenkeel.data.sources.inputs import read

LISTING = """\
$ kafka-consumer-groups.sh --describe --group pay

GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST       CLIENT-ID
pay    orders  0          10              14              4    pay-1-aa     /10.0.0.1  pay-1
"""
RPK = """\
$ rpk group describe inv
GROUP        inv
STATE        Stable
TOTAL-LAG    2

TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST
orders  0          12              14              2    kgo-1      kgo        10.9.1.4
"""
BURROW = """\
$ curl -s burrow:8000/v3/kafka/local/consumer/ship/lag
{"status": {"group": "ship", "partitions": [
  {"topic": "orders", "partition": 0, "owner": "10.0.0.3", "client_id": "s",
   "end": {"offset": 9}, "current_lag": 5}]}}
"""
METRICS = """\
$ curl -s exporter:9308/metrics | grep bill
# TYPE kafka_consumergroup_lag gauge
kafka_consumergroup_lag{consumergroup="bill",topic="orders",partition="0"} 3
"""
BLOCKS = {
    "pay": (LISTING, (10, 14, 4, "pay-1-aa")),
    "inv": (RPK, (12, 14, 2, "kgo-1")),
    "ship": (BURROW, (9, None, 5, "s@10.0.0.3")),
    "bill": (METRICS, (None, None, 3, None)),
}


@pytest.mark.parametrize("groups", [*permutations(BLOCKS, 2)], ids="-".join)
def test_each_of_two_blocks_is_read(groups):
    text = "Here is what we see:\n\n" + "\nand\n\n".join(BLOCKS[group][0] for group in groups)

    parsed = read([("paste", text.encode())])

    rows = parsed.offsets.to_pylist()
    assert {
        row["group_id"]: (
            row["committed_offset"],
            row["end_offset"],
            lag_of_row(row),
            row["member_id"],
        )
        for row in rows
    } == {group: BLOCKS[group][1] for group in groups}
    assert parsed.rejected.num_rows == 0
    assert parsed.row_count + parsed.note_count == parsed.line_count


def test_end_offsets_of_kcat_are_those_of_the_groups_of_a_listing_above():
    text = LISTING.replace("14              4 ", "-               - ")

    parsed = read([("paste", f"{text}\n$ kcat -Q\norders [0] offset 17\n".encode())])

    (row,) = parsed.offsets.to_pylist()
    assert (row["group_id"], row["committed_offset"], row["end_offset"]) == ("pay", 10, 17)


def test_json_that_says_nothing_of_partitions_is_no_block():
    parsed = read([("paste", f'{LISTING}{{"level": "info", "topic": "orders"}}\n'.encode())])

    assert parsed.offsets["group_id"].to_pylist() == ["pay"]
    assert parsed.row_count + parsed.note_count + parsed.rejected.num_rows == parsed.line_count


def test_a_block_about_the_partitions_of_a_block_above_is_a_later_reading():
    burrow = BURROW.replace('"ship"', '"pay"')

    parsed = read([("paste", f"{LISTING}\n{burrow}".encode())])

    assert parsed.offsets["committed_offset"].to_pylist() == [9]
    assert parsed.earlier["committed_offset"].to_pylist() == [10]
