"""What tools other than Kafka's print is read by names of columns, keys and labels: the rows are
those that a reader of the text sees.
"""

from textwrap import dedent

import pytest

from evenkeel.data.diagnosis.reading import readings_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.source import Context, NamedColumns

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
"""  # noqa: E501
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
        "| topic | partition | committed offset | end offset |\n|---|---|---|---|\n| t | 0 |"
        f" {unknown} | 7 |\n"
    )

    assert parsed.offsets["committed_offset"].to_pylist() == [None]
    assert parsed.offsets["end_offset"].to_pylist() == [7]


def test_a_lag_that_was_counted_from_a_commit_of_minus_one_is_no_lag():
    parsed = parsed_of(
        "TOPIC     PARTITION     NEWEST_OFFSET     OLDEST_OFFSET     CONSUMER_OFFSET     LEAD    "
        " LAG\ndocs      2             4000              90                -1                  -91 "
        "     4001\n"
    )

    assert parsed.offsets["listed_lag"].to_pylist() == [None]


def test_the_last_of_two_readings_counts_and_the_first_is_kept_as_the_earlier_one():
    reading = (
        "| group | topic | partition | offset | end |\n|---|---|---|---|---|\n| g | t | 0 | {} |"
        " 9 |\n"
    )

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
        "we saw this on Friday:\n❯ kcg --describe --group g\nGROUP  TOPIC  PARTITION "
        " CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\ng      t      0       "
        "   5               9               4    -            -     -\ng      t      x          5  "
        "             9               4    -            -     -\ng      t      1          5        "
        "       9               4    -            -     -\nany idea?\n"
    )

    parsed = parsed_of(text)

    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (7, 2, 4)
    assert parsed.rejected["source_line"].to_pylist() == [5]


REPORTS = {
    "  Cluster | Consumer Group | Simple | State\n----------+----------------+--------+--------\n"
    "  lkc-1   | pay            | false  | STABLE\n": "lag list GROUP",
    "groupId,members,topics,simple,partitionAssignor,state\np,2,1,false,range,STABLE\n": (
        "kafbat UI"
    ),
    "| Total Lag         | 110 |\n| Max Lag Partition | 1 |\n": (
        "confluent kafka consumer group lag list"
    ),
    "BROKER  GROUP    STATE\n1       billing  Stable\n": "rpk group describe GROUP",
    'kafka_consumergroup_lag_sum{consumergroup="g"} 5\n': "kafka_consumergroup_lag_sum",
    "[2026-11-27 10:00:00,000] INFO [GroupCoordinator 1]: Stabilized group g generation 3\n": (
        "evenkeel rebalances FILE"
    ),
}


@pytest.mark.parametrize(("text", "says"), REPORTS.items(), ids=REPORTS.values())
def test_a_report_without_offsets_is_answered_by_its_name_and_what_to_print(text, says):
    with pytest.raises(SnapshotError, match=says):
        parsed_of(text)


CUT = """\
    {"group": "billing", "partitions": [
      {"topic": "invoices", "partition": 0, "offset": 88100, "end": 88140},
      {"topic": "invoices", "partition": 1, "offset": 5, "end": 1234"""
PRINTED = {
    "Python": (
        "[{'group': 'billing', 'topic': 'it\\'s', 'partition': 0, 'offset': 5, 'owner': None}]"
    ),
    "JavaScript": "[ { group: 'billing', topic: \"it's\", partition: 0, offset: 5, owner: null } ]",
    "trailing commas": (
        '[\n{"group": "billing", "topic": "it\'s", "partition": 0, "offset": 5,},\n]'
    ),
}


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED)
def test_objects_as_languages_print_them_are_read_as_json_is(text):
    (row,) = parsed_of(text + "\n").offsets.to_pylist()

    assert (row["group_id"], row["topic"], row["committed_offset"]) == ("billing", "it's", 5)
    assert row["member_id"] is None


def test_a_value_that_is_cut_gives_its_whole_rows_and_the_rest_is_rejected():
    parsed = parsed_of(CUT)

    assert [(row["partition"], row["end_offset"]) for row in parsed.offsets.to_pylist()] == [
        (0, 88140)
    ]
    assert parsed.rejected["source_line"].to_pylist() == [3]
    assert parsed.row_count + parsed.note_count + parsed.rejected.num_rows == parsed.line_count


def test_a_value_whose_start_is_cut_loses_the_row_that_may_lack_figures_and_keeps_the_group():
    parsed = parsed_of(
        '"partition": 0, "topic": "t", "lag": 5},\n{"topic": "t", "partition": 1, "lag": 7}\n'
        '], "group": "billing"}\n'
    )

    (row,) = parsed.offsets.to_pylist()
    assert (row["group_id"], row["partition"], row["listed_lag"]) == ("billing", 1, 7)
    assert parsed.rejected["source_line"].to_pylist() == [1]


def test_a_cut_list_of_a_member_does_not_make_half_a_member():
    parsed = parsed_of(
        '{"groupId": "billing", "members": [{"memberId": "a", "assignments": '
        '[{"topic": "t", "partitions": [0]}]}, {"memberId": "b", "assignments": '
        '[{"topic": "t", "partitions": [1]}, {"topic": "u", "part'
    )

    assert parsed.members["member_id"].to_pylist() == ["a"]
    assert parsed.rejected.num_rows == 1


def test_a_commit_that_only_some_rows_have_makes_a_lag_of_0_unknown():
    parsed = parsed_of(
        '[{"group": "g", "topic": "t", "partition": 0, "offset": 4, "end": 9, "lag": 5},'
        ' {"group": "g", "topic": "t", "partition": 1, "end": 66, "lag": 0}]'
    )

    assert parsed.offsets["listed_lag"].to_pylist() == [None, None]
    assert parsed.offsets["committed_offset"].to_pylist() == [4, None]


def test_a_burrow_answer_whose_first_key_is_the_request_is_no_journal():
    parsed = parsed_of(
        '{"request": {"url": "/v3/kafka/c/consumer/g/lag", "host": "h"}, "status": {"group": "g",'
        ' "partitions": [{"topic": "t", "partition": 0, "end": {"offset": 5}, "current_lag": 2}]}}'
    )

    assert parsed.offsets["committed_offset"].to_pylist() == [5]
    assert parsed.offsets["listed_lag"].to_pylist() == [2]


@pytest.mark.parametrize("text", ["{} 7", "{}7", "{} => 7 @[1795774400.1]"])
def test_a_sample_is_read_however_its_value_stands_behind_its_labels(text):
    labels = 'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0"}'
    line = text.replace("{}", labels)

    assert parsed_of(line + "\n").offsets["listed_lag"].to_pylist() == [7]


def test_a_row_with_a_missing_cell_in_collapsed_text_is_rejected_and_invents_no_group():
    parsed = parsed_of("TOPIC GROUP PARTITION OFFSET END LAG\nin billing 0 5 9 4\nin 1 5 9 4\n")

    assert parsed.offsets["group_id"].to_pylist() == ["billing"]
    assert parsed.rejected["source_line"].to_pylist() == [3]


def test_commits_without_a_header_are_read_between_prose():
    parsed = parsed_of(
        'Hi all,\n\nthis is what we have, 2 of them:\n\n"t",0,5\n"t",1,6\n\nAny idea, friends?\n'
        "Bye, Ana\n"
    )

    assert parsed.offsets["committed_offset"].to_pylist() == [5, 6]
    assert parsed.rejected.num_rows == 0


def test_rows_that_a_terminal_wrapped_are_whole_though_prose_follows():
    parsed = parsed_of(dedent(WRAPPED) + "any idea?\n")

    assert parsed.offsets["member_id"].to_pylist() == ["kgo-1", "kgo-1"]
    assert parsed.rejected.num_rows == 0


def test_a_word_too_many_in_a_wrapped_row_is_no_part_of_a_name():
    *rows, last = dedent(WRAPPED).splitlines()

    parsed = parsed_of("\n".join([*rows, last.replace("kgo-1 ", "kgo-1 x")]) + "\n")

    assert parsed.offsets["member_id"].to_pylist() == ["kgo-1"]
    assert parsed.rejected["source_line"].to_pylist() == [5]


def test_values_of_a_group_between_rows_are_no_parts_of_the_rows():
    header, *rows = dedent(RPK).splitlines()[6:]

    parsed = parsed_of("\n".join([header, 'STATE       "', rows[1], "BALANCER     range"]) + "\n")

    assert parsed.offsets["host"].to_pylist() == ["10.9.1.4"]


def test_a_tab_is_no_part_of_a_name():
    header, _, *rows = dedent(WRAPPED).splitlines()

    parsed = parsed_of("\n".join([header, rows[0], rows[2].replace("l", "\t", 1)]) + "\n")

    assert parsed.offsets["group_id"].to_pylist() == ["billing"]
    assert parsed.rejected["source_line"].to_pylist() == [3]


@pytest.mark.parametrize(("owners", "codes"), [("", []), (",owner", ["unread_lag"])])
def test_lag_is_unread_only_where_a_table_has_a_place_for_owners(owners, codes):
    cells = ",m" if owners else ""
    parsed = parsed_of(
        f"group,topic,partition,offset,end{owners}\ng,"
        f"t,0,5,9{cells}\ng,t,1,5,9{',' * bool(owners)}\n"
    )
    key = GroupKey("g", None)

    notes = readings_of(parsed, key, has_notes=True).notes

    assert [note["code"] for note in notes] == codes


FRAME = """\
    +----------------+----------+
    | Consumer Group | billing  |
    | Lag            | 40       |
    | Current Offset | 88100    |
    | Topic          | invoices |
    | Partition      | 0        |
    +----------------+----------+
"""
PSQL = """\
    -[ RECORD 1 ]--+--------
    group_id       | billing
    topic          | invoices
    partition      | 0
    current_offset | 88100
    -[ RECORD 2 ]--+--------
    group_id       | billing
    topic          | invoices
    partition      | 1
    current_offset | 1.25e+03
"""


def test_records_of_keys_and_values_are_rows():
    frame, psql = parsed_of(FRAME).offsets.to_pylist(), parsed_of(PSQL).offsets.to_pylist()

    assert [(row["group_id"], row["topic"], row["partition"]) for row in frame + psql] == [
        ("billing", "invoices", 0),
        ("billing", "invoices", 0),
        ("billing", "invoices", 1),
    ]
    assert [row["committed_offset"] for row in frame + psql] == [88100, 88100, 1250]
    assert frame[0]["listed_lag"] == 40


def test_a_record_with_an_unknown_key_takes_no_group_of_the_next_one():
    text = PSQL.replace("group_id", "gr_id", 1)
    framed = text.translate({ord("-"): "─", ord("+"): "┬", ord("|"): "│"}).replace("1.25e┬03", "9")

    assert parsed_of(text).offsets["group_id"].to_pylist() == [None, "billing"]
    assert parsed_of(framed).offsets["group_id"].to_pylist() == [None, "billing"]
    assert parsed_of(PSQL.replace("billing", "a|b")).offsets["group_id"].to_pylist() == ["a|b"] * 2


def test_a_record_without_a_partition_is_rejected_and_an_exponent_is_a_whole_number():
    parsed = parsed_of(PSQL + "group_id: billing\ntopic: invoices\noffset: 7\n")

    assert (parsed.offsets.num_rows, parsed.rejected.num_rows) == (2, 1)
    assert parsed_of("group,topic,partition,offset\ng,t,0,1.25e+03\n").offsets[
        "committed_offset"
    ].to_pylist() == [1250]


def test_the_group_of_burrow_is_in_the_address_of_its_request():
    parsed = parsed_of(
        '{"topics": {"t": [{"offsets": [null, {"offset": 5, "timestamp": 1}], "current-lag": 2}]},'
        ' "request": {"url": "/v3/kafka/c/consumer/billing", "host": "h"}}'
    )

    assert parsed.offsets["group_id"].to_pylist() == ["billing"]


def test_words_below_a_table_whose_first_is_no_name_of_a_topic_are_no_row():
    parsed = parsed_of(dedent(KAF) + ":eyes: 2\n")

    assert parsed.members["owned"].to_pylist() == parsed_of(KAF).members["owned"].to_pylist()
    assert parsed.rejected.num_rows == 0


def test_quotes_of_a_word_processor_around_the_cells_of_a_table_are_no_part_of_them():
    header = "| Group | Topic | Partition | Lag |\n|---|---|---|---|\n"
    frame = f"{header}| “billing” | “invoices” | “0” | 4 |\n"

    (row,) = parsed_of(frame).offsets.to_pylist()

    assert (row["group_id"], row["topic"], row["partition"]) == ("billing", "invoices", 0)


def test_the_source_of_a_web_page_is_refused_by_name():
    page = "<!DOCTYPE html>\n<table><tr><th>Topic</th></tr>\n<tr><td>invoices</td></tr></table>\n"

    with pytest.raises(SnapshotError, match=r"the source of a web page: .*select its table"):
        parsed_of(page)


HALF_KNOWN = """\
    | Group | Topic | Partition | Current | End | Lag |
    |---|---|---|---|---|---|
    | billing | invoices | 0 | 100 | 140 | 40 |
    | billing | invoices | 1 | 200 | 200 | 0 |
"""


def test_an_unknown_column_of_a_printed_table_is_guessed_if_the_lags_prove_it():
    guessed, wrong = parsed_of(HALF_KNOWN), parsed_of(HALF_KNOWN.replace("140", "150"))

    assert guessed.offsets["committed_offset"].to_pylist() == [100, 200]
    (note,) = [note for note in guessed.notes.to_pylist() if "guessed_columns" in note["reason"]]
    assert note["text"] == "--columns committed_offset=Current"
    assert wrong.offsets["committed_offset"].to_pylist() == [None, None]


def test_a_named_column_of_a_printed_table_is_read():
    named = Context(named_columns=(NamedColumns((("committed_offset", "Current"),)),))
    text = dedent(HALF_KNOWN.replace("140", "150")).encode()

    assert read([("pasted", text)], named).offsets["committed_offset"].to_pylist() == [100, 200]


def test_statistics_of_librdkafka_have_the_time_of_the_clock_and_no_state():
    text = (
        '{"name": "web#consumer-1", "client_id": "web", "ts": 5016483227792, "time": 1795774800,'
        ' "topics": {"invoices": {"topic": "invoices", "partitions": {"0": {"partition": 0,'
        ' "committed_offset": 100, "lo_offset": 12, "hi_offset": 140, "consumer_lag": 40},'
        ' "-1": {"partition": -1, "committed_offset": -1001}}}}, "cgrp": {"state": "up"}}'
    )

    parsed = parsed_of(text)

    (row,) = parsed.offsets.to_pylist()
    assert (row["begin_offset"], row["committed_offset"], row["end_offset"]) == (12, 100, 140)
    assert str(row["taken_at"]) == "2026-11-27 10:20:00+00:00"
    assert parsed.members["group_state"].to_pylist() == [None]


def test_a_copied_table_of_prometheus_has_its_values_behind_a_bar():
    labels = 'consumergroup="billing",topic="invoices",partition='

    parsed = parsed_of(
        f'kafka_consumergroup_lag{{{labels}"0"}} | -1\nkafka_consumergroup_lag{{{labels}"1"}} | 7\n'
    )

    assert parsed.offsets["listed_lag"].to_pylist() == [None, 7]


def test_names_above_a_table_of_ksqldb_are_its_group_and_topic():
    parsed = parsed_of(
        "Consumer Group       : billing\n\nKafka topic          : invoices\nMax lag : 5\n\n"
        " Partition | Start Offset | End Offset | Offset | Lag\n 0         | 0            | 20"
        "         | 15     | 5\n"
    )

    (row,) = parsed.offsets.to_pylist()
    assert (row["group_id"], row["topic"], row["committed_offset"]) == ("billing", "invoices", 15)


def test_a_status_of_burrow_without_partitions_is_refused_by_name():
    url = "/v2/kafka/local/consumer/billing/status"
    text = f'{{"status": {{"group": "billing", "partitions": []}}, "request": {{"url": "{url}"}}}}'

    with pytest.raises(SnapshotError, match="a status by Burrow of a group without partitions"):
        parsed_of(text)


@pytest.mark.parametrize("number", ["00", "9" * 5_000], ids=["zeros", "5,000 digits"])
def test_a_number_that_json_does_not_have_is_refused_where_it_stands(number):
    text = "[{'topic': 'in', 'partition': 0, 'offset': " + number + ", 'lag': 4}]"

    with pytest.raises(SnapshotError, match="is not JSON: .* line 1 column "):
        read([("paste", text.encode())])


def test_single_quotes_of_a_word_processor_are_no_part_of_a_cell():
    text = (
        "| Group | Topic | Partition | Lag |\n|---|---|---|---|\n| ‘billing’ | ‘in’ | ‘0’ | 4 |\n"
    )
    (row,) = parsed_of(text).offsets.to_pylist()

    assert (row["group_id"], row["topic"], row["partition"]) == ("billing", "in", 0)


def test_numbers_of_partitions_beside_a_sum_of_lags_are_lags():
    parsed = parsed_of(
        '{"consumerGroups": {"pay": {"lag": 4, "topics": {"orders": 4}, "topicPartitions":'
        ' {"orders": {"partitions": {"0": 4, "1": 0}}}}}}'
    )

    rows = parsed.offsets.to_pylist()
    assert [(row["committed_offset"], row["listed_lag"]) for row in rows] == [(None, 4), (None, 0)]


def test_lists_by_partition_are_of_the_named_topic():
    text = b'{"totalLag": 4, "partitionOffsets": [10, 5], "partitionLatestOffsets": [14, 5]}'
    topic = (NamedColumns((), topic="orders"),)

    rows = read([("cmak.json", text)], Context(group_id="pay", named_columns=topic)).offsets

    assert rows["topic"].to_pylist() == ["orders", "orders"]
    assert rows["end_offset"].to_pylist() == [14, 5]


def test_names_of_open_telemetry_are_those_of_the_figure():
    labels = '{group="pay",topic="orders",partition="0"}'

    (row,) = parsed_of(f"kafka_consumer_group_lag_ratio{labels} 4\n").offsets.to_pylist()

    assert (row["group_id"], row["listed_lag"]) == ("pay", 4)


def test_ticks_around_each_line_are_no_part_of_names():
    parsed = parsed_of(
        "`GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID`\n"
        "`pay orders 0 10 14 4 a-1 /10.0.0.1 a`\n"
    )

    (row,) = parsed.offsets.to_pylist()
    assert (row["group_id"], row["client_id"]) == ("pay", "a")


def test_a_state_without_a_group_is_of_the_only_group_of_the_rows():
    row = '{"group": "pay", "topic": "orders", "partition": 0, "offset": 10}'

    parsed = parsed_of(f'{{"state": "Stable", "partition_assignment": [{row}]}}')

    heads = parsed.members.select(["group_id", "group_state"]).to_pylist()
    assert heads == [{"group_id": "pay", "group_state": "Stable"}]


def test_numbers_of_rows_that_have_no_header_are_no_cells():
    parsed = parsed_of(
        "  group   topic  partition  committed_offset  end_offset\n"
        "0   pay  orders          0              10.0          14\n"
        "1   pay  orders          1               NaN           7\n"
    )

    assert parsed.offsets["partition"].to_pylist() == [0, 1]
    assert parsed.offsets["committed_offset"].to_pylist() == [10, None]


@pytest.mark.parametrize("broken", ['"partition": 0, "offset": "ten"', '"offset": 10'])
def test_an_object_with_a_broken_or_missing_number_is_rejected(broken):
    parsed = parsed_of(
        f'{{"id": "pay", "state": "STABLE", "offsets": [{{"topic": "orders", {broken}}},'
        ' {"topic": "orders", "partition": 1, "offset": 5, "lastOffset": 7}]}'
    )

    assert parsed.offsets["partition"].to_pylist() == [1]
    assert parsed.rejected["source_line"].to_pylist() == [1]


def test_colours_of_jira_are_no_json():
    parsed = parsed_of(
        "{color:red}pay{color}\n||GROUP||TOPIC||PARTITION||CURRENT-OFFSET||\n"
        "|pay|orders|0|{color:#ff0000}10{color}|\n"
    )

    assert parsed.offsets["committed_offset"].to_pylist() == [10]


def test_carriage_returns_alone_end_lines():
    parsed = parsed_of("group,topic,partition,offset\rpay,orders,0,10\rpay,orders,1,5\r")

    assert parsed.offsets["committed_offset"].to_pylist() == [10, 5]
    assert parsed.offsets["source_line"].to_pylist() == [2, 3]
