"""What tools other than Kafka's print is read by names of columns, keys and labels: the rows are
those that a reader of the text sees.
"""

from textwrap import dedent

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.inputs import read

RPK = """\
    % rpk group describe billing
    GROUP        billing
    STATE        Stable
    BALANCER     range
    TOTAL-LAG    40

    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST
    invoices  0          88100           88140           40   kgo-1      kgo        10.9.1.4
    invoices  1          -               0               -    kgo-1      kgo        10.9.1.4
"""
KAF = """\
    Group ID:        billing
    State:           Stable
    Offsets:
      invoices:
        Partition  Group Offset  High Watermark  Lag  Metadata
        ---------  ------------  --------------  ---  --------
        0          88100         88140           40
        1                        0
        Total      88100                         40
    Members:
      kgo:
        Host:  10.9.1.4
        Assignments:
          Topic     Partitions
          -----     ----------
          invoices  [0 1]
"""
BOX = """\
    ┌──────────┬──────────┬───────────┬──────────────────┬────────────┬─────┬───────────┐
    │ group_id │ topic    │ partition │ committed_offset │ end_offset │ lag │ member_id │
    ├──────────┼──────────┼───────────┼──────────────────┼────────────┼─────┼───────────┤
    │ billing  │ invoices │ 0         │ 88100            │ 88140      │ 40  │ kgo-1     │
    │ billing  │ invoices │ 1         │                  │ 0          │     │ kgo-1     │
    └──────────┴──────────┴───────────┴──────────────────┴────────────┴─────┴───────────┘
"""
MARKDOWN = """\
    The group right now:

    | PARTITION | TOPIC | END OFFSET | CURRENT OFFSET | CONSUMER GROUP | MEMBER ID |
    | --- | --- | --- | --- | --- | --- |
    | 0 | `invoices` | 88,140 | 88,100 | billing | kgo-1 |
    | 1 | `invoices` | 0 | N/A | billing | kgo-1 |
"""
WRAPPED = """\
    GROUP    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG
      CONSUMER-ID  HOST       CLIENT-ID
    billing  invoices  0          88100           88140           40
      kgo-1        /10.9.1.4  kgo
    billing  invoices  1          -               0               -
      kgo-1        /10.9.1.4  kgo
"""
CONSOLE = """\
    {"consumerGroups": [{"groupId": "billing", "state": "Stable",
      "members": [{"id": "kgo-1", "clientId": "kgo", "clientHost": "10.9.1.4",
        "assignments": [{"topicName": "invoices", "partitionIds": [0, 1]}]}],
      "topicOffsets": [{"topic": "invoices", "partitionCount": 2, "partitionOffsets": [
        {"partitionId": 0, "groupOffset": 88100, "highWaterMark": 88140, "lag": 40},
        {"partitionId": 1, "groupOffset": null, "highWaterMark": 0, "lag": 0}]}]}]}
"""
YAML = """\
    - group_name: billing
      state: Stable
      partitions:
        - partition: 0
          topic: invoices
          current_offset: 88100
          log_end_offset: 88140
          member_id: kgo-1
        - partition: 1
          topic: invoices
          log_end_offset: 0
          member_id: kgo-1
"""
LAG_LIST = """\
    [{"consumer_group": "billing", "topic": "invoices", "partition": 0, "current_offset": 88100,
      "log_end_offset": 88140, "lag": 40, "consumer": "kgo-1"},
     {"consumer_group": "billing", "topic": "invoices", "partition": 1, "current_offset": null,
      "log_end_offset": 0, "lag": null, "consumer": "kgo-1"}]
"""
EXPORTER = """\
    # TYPE kafka_consumergroup_group_offset gauge
    kafka_consumergroup_group_offset{group="billing",topic="invoices",partition="0",consumer_id="kgo-1"} 88100.0
    kafka_consumergroup_group_offset{group="billing",topic="invoices",partition="1",consumer_id="kgo-1"} NaN
    kafka_consumergroup_group_sum_lag{group="billing"} 40
    kafka_partition_latest_offset{topic="invoices",partition="0"} 88140
    kafka_partition_latest_offset{topic="invoices",partition="1"} 0
"""
TOOLS = {
    "rpk": RPK,
    "kaf": KAF,
    "box": BOX,
    "markdown": MARKDOWN,
    "wrapped": WRAPPED,
    "console": CONSOLE,
    "yaml": YAML,
    "confluent": LAG_LIST,
    "exporter": EXPORTER,
}


def parsed_of(text):
    return read([("pasted", dedent(text).encode())])


@pytest.mark.parametrize("text", TOOLS.values(), ids=TOOLS)
def test_every_tool_gives_the_same_offsets_of_the_same_group(text):
    parsed = parsed_of(text)

    assert [
        (
            row["group_id"],
            row["topic"],
            row["partition"],
            row["committed_offset"],
            row["end_offset"],
        )
        for row in parsed.offsets.to_pylist()
    ] == [("billing", "invoices", 0, 88100, 88140), ("billing", "invoices", 1, None, 0)]
    assert parsed.rejected.num_rows == 0


@pytest.mark.parametrize("text", [KAF, CONSOLE], ids=["kaf", "console"])
def test_members_beside_the_offsets_have_their_partitions(text):
    (member,) = [row for row in parsed_of(text).members.to_pylist() if row["member_id"]]

    assert member["owned"] == [{"topic": "invoices", "partitions": [0, 1]}]
    assert (member["client_id"], member["host"]) == ("kgo", "10.9.1.4")


def test_a_member_without_an_id_is_named_by_client_and_host():
    parsed = parsed_of(KAF)

    assert parsed.members["member_id"].to_pylist() == [None, "kgo@10.9.1.4"]


@pytest.mark.parametrize("unknown", ["", "-", "N/A", "NULL", "<none>", "NaN", "-1"])
def test_whatever_a_tool_writes_for_unknown_is_unknown_and_never_0(unknown):
    parsed = parsed_of(
        f"| topic | partition | committed offset | end offset |\n|---|---|---|---|\n| t | 0 | {unknown} | 7 |\n"
    )

    assert parsed.offsets["committed_offset"].to_pylist() == [None]
    assert parsed.offsets["end_offset"].to_pylist() == [7]


def test_a_lag_that_was_counted_from_a_commit_of_minus_one_is_no_lag():
    parsed = parsed_of(
        "TOPIC     PARTITION     NEWEST_OFFSET     OLDEST_OFFSET     CONSUMER_OFFSET     LEAD     LAG\n"
        "docs      2             4000              90                -1                  -91      4001\n"
    )

    assert parsed.offsets["listed_lag"].to_pylist() == [None]


def test_the_last_of_two_readings_counts_and_the_first_is_kept_as_the_earlier_one():
    reading = "| group | topic | partition | offset | end |\n|---|---|---|---|---|\n| g | t | 0 | {} | 9 |\n"

    parsed = parsed_of(reading.format(4) + reading.format(6))

    assert parsed.offsets["committed_offset"].to_pylist() == [6]
    assert parsed.earlier["committed_offset"].to_pylist() == [4]


@pytest.mark.parametrize("partition", ["x", "1x", "-1"])
def test_a_broken_row_at_the_end_of_a_table_is_rejected_though_no_other_row_has_its_topic(
    partition,
):
    text = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "payments orders 0 90 100 10 - - -\n"
        f"payments refunds {partition} 771 771 0 - - -\n"
        "It is the 2 brokers again, says the team.\n"
    )

    parsed = parsed_of(text)

    assert parsed.rejected["source_line"].to_pylist() == [3]
    assert parsed.notes["source_line"].to_pylist() == [1, 4]


def test_prose_and_prompts_around_a_table_are_notes_and_a_broken_row_is_rejected():
    text = (
        "we saw this on Friday:\n❯ kcg --describe --group g\n"
        "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"
        "g      t      0          5               9               4    -            -     -\n"
        "g      t      x          5               9               4    -            -     -\n"
        "g      t      1          5               9               4    -            -     -\n"
        "any idea?\n"
    )

    parsed = parsed_of(text)

    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (7, 2, 4)
    assert parsed.rejected["source_line"].to_pylist() == [5]


REPORTS = {
    "groupId,members,topics,simple,partitionAssignor,state\np,2,1,false,range,STABLE\n": "kafbat UI",
    "| Total Lag         | 110 |\n| Max Lag Partition | 1 |\n": "confluent kafka consumer group lag list",
    "BROKER  GROUP    STATE\n1       billing  Stable\n": "rpk group describe GROUP",
    'kafka_consumergroup_lag_sum{consumergroup="g"} 5\n': "kafka_consumergroup_lag_sum",
    "[2026-11-27 10:00:00,000] INFO [GroupCoordinator 1]: Stabilized group g generation 3\n": "evenkeel rebalances FILE",
}


@pytest.mark.parametrize(("text", "says"), REPORTS.items(), ids=REPORTS.values())
def test_a_report_without_offsets_is_answered_by_its_name_and_what_to_print(text, says):
    with pytest.raises(SnapshotError, match=says):
        parsed_of(text)
