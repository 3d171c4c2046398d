"""A paste with blocks of several tools: each block is read, and no line is lost."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.group.tables.row_lag import lag_of_row
from evenkeel.data.sources.detection import HEAD_BYTES
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


ANSWER = """\
{"group": "pay", "offsets": [
  {"topic": "orders", "partition": 0, "offset": 12, "lastOffset": 20},
  {
   "topic": "orders",
   "lastOff
"""
DOCUMENT = """\
$ cat group.json
{"format": "evenkeel.group/1", "group_id": "doc",
 "topics": [{"name": "t", "partitions": [{"end_offset": 9, "committed_offset": 5}]}],
 "members": [{"member_id": "x", "subscribed": ["t"], "owned": {"t": [0]}}]}
and that is all
"""


def test_a_cut_answer_below_a_listing_is_rejected_where_it_is_cut():
    parsed = read([("paste", f"{LISTING}\n{ANSWER}".encode())])

    (rejected,) = parsed.rejected.to_pylist()
    assert rejected["source_line"] == LISTING.count("\n") + 4
    assert parsed.offsets["end_offset"].to_pylist() == [20]


@pytest.mark.parametrize("first", ["Fri Nov 27 10:00:00 UTC 2026\n", ""])
@pytest.mark.parametrize(
    "below",
    [
        BURROW.replace('"ship"', '"pay"'),
        LISTING.replace("10 ", "9  ").replace("4    pay", "5    pay"),
    ],
)
@pytest.mark.parametrize("above", [ANSWER[: ANSWER.index(",\n  {")] + "]}\n", LISTING])
def test_a_block_has_the_time_above_it_and_the_later_one_counts(above, below, first):
    second = "$ date\nFri Nov 27 10:05:00 CET 2026\n"

    groups = read_groups([("paste", f"{first}{above}{second}{below}".encode())])

    group = groups.only()
    assert group.snapshot.committed_offset.tolist() == [9]
    assert group.taken_at == datetime(2026, 11, 27, 10, 5, tzinfo=UTC)
    (readings,) = readings_of_all(groups.parsed, groups.keys, has_notes=True)
    (zone,) = [note for note in readings.notes if note["code"] == "zone_assumed"]
    assert zone["count"] == 1


def test_a_document_below_a_listing_keeps_its_owners():
    parsed = read([("paste", f"{LISTING}\n{DOCUMENT}{METRICS}".encode())])

    owned = dict(
        zip(*(parsed.members[name].to_pylist() for name in ("member_id", "owned")), strict=True)
    )
    assert owned["x"] == [{"topic": "t", "partitions": [0]}]
    assert sorted(parsed.offsets["group_id"].to_pylist()) == ["bill", "doc", "pay"]
    assert parsed.rejected.num_rows == 0


def test_a_message_of_kafka_is_of_the_listing_above_or_below_it():
    message = "Consumer group 'pay' has no active members.\n"
    listing = LISTING.replace("pay-1-aa     /10.0.0.1  pay-1", "-            -          -")

    for text in (listing + message + BURROW, BURROW + message + listing):
        groups = read_groups([("paste", text.encode())])

        states = {key.group_id: groups.observed(key).group_state for key in groups.keys}
        assert states == {"pay": "Empty", "ship": None}


def test_a_block_beyond_the_first_bytes_is_read():
    rows = "".join(f"pay orders {p} 10 14 4 pay-1-aa /10.0.0.1 pay-1\n" for p in range(1, 2000))

    parsed = read([("paste", f"{LISTING}{rows}\n{BURROW}".encode())])

    assert len(LISTING + rows) > HEAD_BYTES
    assert parsed.offsets["group_id"].to_pylist() == ["pay"] * 2000 + ["ship"]
