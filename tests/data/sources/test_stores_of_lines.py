"""Texts inside JSON, answers of stores and what else stands around the facts: the facts are those
that a reader of the text sees.
"""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.diagnosis.reading import readings_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.group.tables.row_lag import lag_of_row
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.sources import printing_tool
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.printing_tool import tool_of
from evenkeel.data.sources.reading_words import not_in_it, read_as

LISTING = (
    "GROUP   TOPIC    PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID",
    "billing invoices 0          88100           88140           40   kgo-1        /h    kgo",
)
METRICS = (
    (
        'kafka_consumergroup_current_offset{consumergroup="billing",topic="invoices",partition="0"}'
        " 88100"
    ),
    'kafka_topic_partition_current_offset{topic="invoices",partition="0"} 88140',
)
DOCUMENT = ('{"group":"billing","topic":"invoices","partition":0,"offset":88100,"end":88140}',)


def docker(lines):
    return "\n".join(json.dumps({"log": f"{line}\n", "stream": "stdout"}) for line in lines)


def cloudwatch(lines):
    return json.dumps({"events": [{"timestamp": 1795774400000, "message": line} for line in lines]})


def loki(lines):
    pairs = [["1795774400000000000", line] for line in lines]
    return json.dumps({"data": {"result": [{"stream": {}, "values": pairs}]}})


def offsets_of(text):
    parsed = read([("pasted", text.encode())])
    assert parsed.row_count + parsed.note_count + parsed.rejected.num_rows == parsed.line_count
    return [
        (
            row["group_id"],
            row["topic"],
            row["partition"],
            row["committed_offset"],
            row["end_offset"],
        )
        for row in parsed.offsets.to_pylist()
    ]


@pytest.mark.parametrize("store", [docker, cloudwatch, loki])
@pytest.mark.parametrize("lines", [LISTING, METRICS, DOCUMENT])
def test_lines_inside_json_of_a_store_of_logs_are_read_as_the_lines(store, lines):
    rows = offsets_of(store(lines))

    assert {row[:3] for row in rows} == {("billing", "invoices", 0)}
    assert {row[3] for row in rows} - {None} == {88100}
    assert {row[4] for row in rows} - {None} == {88140}


BROKER = (
    "[2026-11-27 10:00:00,000] INFO [GroupCoordinator 1]: Preparing to rebalance group g in state"
    " PreparingRebalance with old generation 4 (__consumer_offsets-1) (reason: Adding new member a"
    " with group instance id None; client reason: not provided) (k.GroupCoordinator)",
    "[2026-11-27 10:00:03,000] INFO [GroupCoordinator 1]: Stabilized group g generation 5"
    " (__consumer_offsets-1) with 2 members (k.GroupCoordinator)",
)


@pytest.mark.parametrize("store", [docker, cloudwatch, loki])
def test_an_answer_with_several_messages_in_one_line_gives_each_of_them(store):
    history = read_history(HistoryRequest(), [("answer.json", store(BROKER).encode())])

    (rebalance,) = history.rebalances
    assert (rebalance.generation, rebalance.members, rebalance.duration_ms) == (5, 2, 3000)


FLOW = (
    "- {name: billing, state: Stable, topics: [{topic: invoices,"
    " partitions: [{partition: 0, committed: 88100, end: 88140}]}]}"
)
PATHS = json.dumps(
    {
        "kafka.consumergroup.id": "billing",
        "kafka.topic.name": "invoices",
        "kafka.partition.id": 0,
        "kafka.consumergroup.offset": 88100,
        "end_offset": 88140,
    }
)
CMAK = json.dumps(
    {
        "groups": {
            "billing": {
                "invoices": {"partitionOffsets": [88100], "partitionLatestOffsets": [88140]}
            }
        }
    }
)


@pytest.mark.parametrize("text", [FLOW, PATHS, CMAK], ids=["flow YAML", "Metricbeat", "CMAK"])
def test_other_spellings_of_keys_and_lists_give_the_same_row(text):
    assert offsets_of(f"{text}\n") == [("billing", "invoices", 0, 88100, 88140)]


def test_a_frame_of_grafana_gives_the_last_value_of_each_field_with_labels():
    labels = {"consumergroup": "g", "topic": "t", "partition": "0"}
    fields = [
        {"name": "Time", "type": "time"},
        {"name": "Value", "type": "number", "labels": labels},
    ]
    frame = {
        "schema": {"fields": fields},
        "data": {"values": [[1795774400000, 1795774460000], [7, 9]]},
    }

    (row,) = read(
        [("g", json.dumps({"results": {"A": {"frames": [frame]}}}).encode())]
    ).offsets.to_pylist()

    assert (row["group_id"], row["listed_lag"]) == ("g", 9)
    assert row["taken_at"].isoformat() == "2026-11-27T10:14:20+00:00"


def test_the_first_and_the_last_value_of_a_series_are_two_readings():
    metric = {
        "__name__": "kafka_consumergroup_lag",
        "consumergroup": "g",
        "topic": "t",
        "partition": "0",
    }
    values = [[1795774400, "5"], [1795774430, "7"], [1795774460, "9"]]
    answer = {"data": {"resultType": "matrix", "result": [{"metric": metric, "values": values}]}}

    rows = read([("p", json.dumps(answer).encode())]).offsets.to_pylist()

    assert [(row["taken_at"].second, row["listed_lag"]) for row in rows] == [(20, 5), (20, 9)]
    assert [row["taken_at"].minute for row in rows] == [13, 14]


def test_a_document_again_is_a_reading_and_its_state_is_that_of_now():
    first = '{"groupId":"g","state":"STABLE","partitions":[{"topic":"t","partition":0,"currentOffset":1,"endOffset":9}]}'  # noqa: E501
    second = first.replace("STABLE", "EMPTY").replace(":1,", ":4,")

    parsed = read([("two", f"{first}\n{second}\n".encode())])

    assert parsed.offsets["committed_offset"].to_pylist() == [4]
    assert parsed.earlier["committed_offset"].to_pylist() == [1]
    assert parsed.members["group_state"].to_pylist()[-1] == "Empty"


def test_of_a_partition_twice_in_a_document_the_first_counts_and_the_other_rows_stay():
    rows = ",".join(
        f'{{"topic":"t","partition":{p},"currentOffset":{c}}}' for p, c in ((0, 1), (0, 2), (1, 3))
    )

    parsed = read([("one", f'{{"groupId":"g","partitions":[{rows}]}}\n'.encode())])

    assert parsed.offsets["committed_offset"].to_pylist() == [1, 3]
    assert parsed.rejected["reason"].to_pylist() == [
        "committed_offset of t-0 is 2, expected 1 as before"
    ]


ROW = '{"group":"g","topic":"t","partition":0,"current_offset":%d,"log_end_offset":%d%s}'
TIMES = "2026-11-27T10:00:00Z", "2026-11-27T10:01:00Z"
FIRST, LAST = (5, 9), (50, 90_000)


def in_rows(time, figures):
    return ROW % (*figures, f',"taken_at":"{time}"')


def in_readings(time, figures):
    return f'{{"taken_at":"{time}","offsets":[{ROW % (*figures, "")}]}}'


def in_hits(time, figures):
    row = ROW % (*figures, f',"@timestamp":"{time}"')
    return f'{{"_source":{row}}}'


@pytest.mark.parametrize(
    ("entry", "around"),
    [(in_rows, "[%s]"), (in_readings, '{"readings":[%s]}'), (in_hits, '{"hits":{"hits":[%s]}}')],
)
def test_the_same_partition_at_another_time_in_a_document_is_another_reading(entry, around):
    both = ",".join(map(entry, TIMES, (FIRST, LAST)))

    parsed = read([("a", f"{around % both}\n".encode())])

    rows = parsed.offsets.to_pylist()
    assert [(row["taken_at"].minute, row["end_offset"]) for row in rows] == [(0, 9), (1, 90_000)]
    assert parsed.rejected.num_rows == 0
    now = readings_of(parsed, GroupKey("g", None)).now
    assert (now.taken_at.minute, lag_of_row(rows[1])) == (1, 89_950)


def test_events_of_one_reading_some_moments_apart_are_one_reading():
    hits = [
        {"_source": {"@timestamp": f"2026-11-27T10:0{time}Z", **row}}
        for time, row in (
            ("0:00.1", {"group": "g", "topic": "t", "partition": 0, "offset": 1}),
            ("0:00.2", {"group": "g", "topic": "t", "partition": 1, "offset": 2}),
            ("1:00.1", {"group": "g", "topic": "t", "partition": 0, "offset": 3}),
            ("1:00.2", {"group": "g", "topic": "t", "partition": 1, "offset": 4}),
        )
    ]

    two = read([("a", json.dumps({"hits": hits}).encode())]).offsets.to_pylist()
    only = read([("a", json.dumps({"hits": hits[:2]}).encode())]).offsets.to_pylist()

    assert [(row["taken_at"].minute, row["committed_offset"]) for row in two] == [
        (0, 1),
        (0, 2),
        (1, 3),
        (1, 4),
    ]
    assert len({row["taken_at"] for row in two}) == 2
    assert [row["taken_at"] for row in only] == [None, None]


def answer(*series):
    result = [
        {
            "metric": {
                "__name__": "kafka_consumergroup_lag",
                "consumergroup": "g",
                "topic": "t",
                "partition": str(partition),
            },
            "values": [[1795774400 + second, str(lag)] for second, lag in values],
        }
        for partition, values in enumerate(series)
    ]
    return json.dumps({"data": {"resultType": "matrix", "result": result}}).encode()


def test_a_series_that_begins_later_makes_no_reading_of_its_own():
    old, young = [(0, 5), (30, 6), (60, 9)], [(45, 1), (60, 2)]

    rows = read([("a", answer(old, old, young))]).offsets.to_pylist()

    assert [(row["taken_at"].second, row["listed_lag"]) for row in rows] == [
        (5, 6),
        (5, 6),
        (5, 1),
        (20, 9),
        (20, 9),
        (20, 2),
    ]


def test_a_series_that_ended_is_not_of_now_and_one_read_a_moment_earlier_is():
    whole, ended, shifted = [(0, 5), (60, 9)], [(0, 3), (15, 3)], [(-7, 1), (53, 2)]

    rows = read([("a", answer(whole, ended, shifted))]).offsets.to_pylist()

    assert [(row["taken_at"].second, row["partition"], row["listed_lag"]) for row in rows] == [
        (20, 0, 5),
        (20, 1, 3),
        (20, 2, 1),
        (20, 0, 9),
        (20, 2, 2),
    ]


def test_half_a_pair_of_surrogates_is_a_mark_of_its_name():
    header = json.dumps({"log": f"{LISTING[0]}\n"})
    line = '{"log":"g t 0 5 9 4 c-\\ud83d /h cl\\n"}'
    document = '[{"group":"g","topic":"t","partition":0,"offset":5,"end":9,"owner":"c-\\ud83d"}]'

    for text in (f"{header}\n{line}\n", document):
        (row,) = read([("a", text.encode())]).offsets.to_pylist()
        assert (row["committed_offset"], row["member_id"]) == (5, "c-?")


def test_a_commit_without_a_group_is_a_commit_and_the_offset_of_a_partition_its_end():
    place = 'topic="t",partition="0"} '
    client = (
        f'kafka_consumer_fetch_manager_records_lag{{client_id="c",{place}7\n'
        f'kafka_consumer_committed_offset{{client_id="c",{place}50\n'
    )
    unnamed = (
        f"kafka_consumergroup_current_offset{{{place}50\nkafka_topic_log_end_offset{{{place}100\n"
    )
    ends = (
        f'kafka_consumergroup_current_offset{{group="g",{place}50\n'
        f"kafka_partition_current_offset{{{place}100\n"
    )

    (row,) = read([("a", client.encode())]).offsets.to_pylist()
    assert (row["committed_offset"], row["end_offset"], row["listed_lag"]) == (50, None, 7)
    assert offsets_of(unnamed) == [(None, "t", 0, 50, 100)]
    assert offsets_of(ends) == [("g", "t", 0, 50, 100)]


def test_the_name_of_a_tool_is_looked_for_in_time_that_grows_as_the_text():
    text = Path(printing_tool.__file__).read_text()

    assert r"^\s" not in text
    assert all(r"\A" in line for line in text.splitlines() if r"[\s\S]" in line)
    assert tool_of("\n  Partition  Group Offset  High Watermark  Lag\n") == "kaf group describe"
    assert tool_of('{"topicOffsets": [{"partitionOffsets": [{}]}]}') == "Redpanda Console"
    assert tool_of('{"firstOffset": 0, "offset": 5, "lastOffset": 9}') == "AKHQ"
    assert tool_of('\n\n topic "t" with 2 partitions:') == "kcat"


def test_an_end_of_0_beside_an_error_is_unknown():
    text = (
        '{"groupId":"g","topicOffsets":[{"topic":"t","partitionOffsets":[{"partitionId":0,'
        '"groupOffset":5,"error":"LEADER_NOT_AVAILABLE","highWaterMark":0,"lag":0}]}]}'
    )

    assert offsets_of(text) == [("g", "t", 0, 5, None)]


def test_lines_below_a_value_whose_start_is_cut_are_read():
    text = 'tition":0,"offset":5}\n{"group":"g","topic":"t","partition":1,"offset":6}\n'

    assert offsets_of(text) == [("g", "t", 1, 6, None)]


def test_a_lag_proves_the_marks_of_thousands_in_its_row():
    text = "group;topic;partition;current offset;log end offset;lag\ng;t;0;{};{};{}\n"

    assert offsets_of(text.format("1.234.000", "1.235.000", "1.000")) == [
        ("g", "t", 0, 1_234_000, 1_235_000)
    ]
    # As thousands and as decimals the lag is end less commit: nothing is proven.
    assert offsets_of(text.format("1.000", "3.000", "2.000")) == []


REFUSED = {
    '{"consumers":["a"],"request":{"url":"/v3/kafka/c/consumer"}}': "Burrow: it has no partitions",
    '{"cluster":"c","name":"g","is_simple":false,"state":"STABLE"}': "lag list GROUP",
    '{"results":[{"id":"g","state":"STABLE","coordinator":{"id":1},"members":[]}]}': "AKHQ",
    '{"Label":"SumOffsetLag","Values":[1]}': "MSK in CloudWatch",
    "GROUP  TYPE      PROTOCOL\ng      Consumer  consumer": "Kafka's tool",
    "Partition\tLogSize\tConsumer Offset\tLag\tConsumer Instance Owner\n0\t9\t5\t4\tc": "--topic",
    "2026-11-27 10:00:00,000 - kafka.coordinator - INFO - (Re-)joining group g": (
        "evenkeel rebalances FILE"
    ),
}


@pytest.mark.parametrize(("text", "says"), REFUSED.items(), ids=REFUSED.values())
def test_a_report_that_is_known_and_useless_is_named_with_what_to_print(text, says):
    with pytest.raises(SnapshotError, match=says):
        read([("pasted", f"{text}\n".encode())])


def test_a_list_of_names_is_no_document_and_a_listing_is_no_log(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("billing\nrefunds\n")
    (tmp_path / "listing").write_text("\n".join(LISTING))

    assert main(["snapshot", "names"]) == 2
    assert "list of 2 groups without offsets" in capsys.readouterr().err
    assert main(["rebalances", "listing"]) == 2
    assert "evenkeel snapshot, compare and diagnose read it" in capsys.readouterr().err


def test_a_table_without_a_topic_takes_the_one_that_the_command_names(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cmak").write_text("Partition\tLogSize\tConsumer Offset\n0\t9\t5\n")

    assert main(["snapshot", "cmak", "--topic", "invoices"]) == 0
    (topic,) = json.loads(capsys.readouterr().out)["topics"]
    assert (topic["name"], topic["partitions"][0]["committed_offset"]) == ("invoices", 5)


def test_an_upload_is_named_with_its_groups_partitions_and_owners():
    groups = pa.table({"partition_count": [5, 3], "member_count": [2, 1], "idle_members": [1, 0]})
    unread = pa.table(
        {
            "partition_count": [5],
            "member_count": pa.array([None], pa.int64()),
            "idle_members": pa.array([None], pa.int64()),
        }
    )

    assert read_as(["rpk group describe"], groups) == (
        "Read as rpk group describe: 2 groups, 8 partitions, owners known, 1 member owns nothing."
    )
    assert not_in_it(["a table"], groups) == ""
    # Kafka's tool prints owners: without one there is none. Of others the data tells.
    assert "owners unknown" in read_as(["AKHQ"], unread)
    assert not_in_it(["AKHQ", "kaf group describe"], unread).startswith(
        "The owners of partitions are missing"
    )
    assert not_in_it(["kafka-consumer-groups --describe, Kafka 2.3 to 4.x"], unread) == ""
    assert not_in_it(["a table"], unread).startswith(
        "The owners of partitions are missing. Add kafka-consumer-"
    )


def test_an_average_is_no_lag_and_its_row_keeps_the_commit():
    (row,) = read(
        [("a", b'[{"group":"g","topic":"t","partition":0,"offset":7,"lag":3.5}]')]
    ).offsets.to_pylist()

    assert (row["committed_offset"], row["listed_lag"]) == (7, None)


@pytest.mark.parametrize(
    "above", ["$ kt group -brokers b -group billing", "curl http://h/consumer-groups/billing"]
)
def test_a_command_above_a_document_names_its_group(above):
    text = f'{above}\n{{"topic":"t","offsets":[{{"partition":0,"offset":5,"lag":3}}]}}\n'

    assert offsets_of(text) == [("billing", "t", 0, 5, None)]


def test_json_with_the_quotes_of_a_word_processor_is_read():
    text = "{“group”:“billing”,“topic”:“t”,“partition”:0,“offset”:5,“end”:9}\n"

    assert offsets_of(text) == [("billing", "t", 0, 5, 9)]
