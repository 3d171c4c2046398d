"""What is remarked about a group that was read: each code by an input that shows it, and by one
that does not.
"""

import json
from textwrap import dedent

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.group_notes import growth_words
from evenkeel.data.sources.second_owners import with_second_owners

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
RPK = """\
    GROUP        billing
    STATE        Stable
    TOTAL-LAG    {total}

    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST
    invoices  0          88100           88140           40   kgo-1      kgo        10.9.1.4
    invoices  1          7               9               2    kgo-1      kgo        10.9.1.4
"""
CONSOLE = """\
    {{"groupId": "billing", "state": "Stable",
      "members": [{{"id": "kgo-1", "clientId": "kgo", "assignments": [{{"topicName": "invoices", "partitionIds": [0, 1]}}]}},
                  {{"id": "kgo-2", "clientId": "kgo", "assignments": [{{"topicName": "invoices", "partitionIds": []}}]}}],
      "topicOffsets": [{{"topic": "invoices", "partitionOffsets": [
        {{"partitionId": 0, "groupOffset": 5, "highWaterMark": 9, "memberId": "kgo-1"}},
        {{"partitionId": 1, "groupOffset": 5, "highWaterMark": 9, "memberId": "{owner}"}}]}}]}}
"""  # noqa: E501
METRICS = (
    'kafka_consumergroup_lag{{consumergroup="billing",topic="t",partition="0",job="a"}} 4\n'
    + 'kafka_consumergroup_lag{{consumergroup="billing",topic="t",partition="0",job="b"}} {other}\n'
)
JMX = 'kafka_consumer_records_lag{{{group}client_id="c-1",topic="t",partition="0"}} 4\n'
GUESS = (
    "Gruppe;Thema;Partition;Stand;Letzter;Rueckstand\nbilling;t;0;90;100;{lag}\nbilling;t;1;5;5;0\n"
)
HEADING = """\
    Group: billing

    ## {topic}

    | Partition {column}| Consumer Offset | LogSize | Member Id |
    | --- {rule}| --- | --- | --- |
    | 0 {cell}| 5 | 9 | a-1 |
"""
CSV = "group,topic,partition,committed_offset,end_offset,{column}\nbilling,t,0,5,9,{cell}\n"
TWICE = "group,topic,partition,committed_offset,end_offset,member_id\nbilling,t,0,5,9,a\n{again}\n"
STREAMS = """\
    GROUP    TOPIC  PARTITION  {commit}OFFSET-LAG
    billing  t      0          {value}9
"""


def notes_of(text, file="input.txt"):
    """Return the notes about the only group of a text, by code."""
    groups = read_groups([(file, dedent(text).encode())])
    (readings,) = readings_of_all(groups.parsed, groups.keys, has_notes=True)
    return {note["code"]: note for note in readings.notes}


SHOWS = {
    "total_differs": (
        RPK.format(total=45),
        (
            1,
            "a printed total is not the sum of its rows; the rows are used: 45 printed, 42 in the"
            " rows",
        ),
    ),
    "owners_differ": (
        CONSOLE.format(owner="kgo-2"),
        (1, "1 partition with another owner in the list of members: the rows' owners are used"),
    ),
    "two_sources": (
        METRICS.format(other=7),
        (
            1,
            "1 partition with different values from two sources: the newer value is used, else the"
            " larger",
        ),
    ),
    "one_client": (
        JMX.format(group=""),
        (1, "metrics of only one client: the group's other members are missing"),
    ),
    "guessed_columns": (
        GUESS.format(lag=10),
        (
            2,
            "columns are guessed; in all 2 rows, LAG is end less commit. To change columns:"
            " --columns group_id=Gruppe,topic=Thema,committed_offset=Stand,end_offset=Letzter"
            ",lag=Rueckstand",
        ),
    ),
    "guessed_topic": (
        HEADING.format(topic="orders", column="", rule="", cell=""),
        (1, "no column for the topic: the heading orders is used"),
    ),
    "guessed_member_ids": (
        CSV.format(column="client_id", cell="pay"),
        (1, "1 member without a member id: named by instance id, or by client id and host"),
    ),
    "zone_assumed": (
        CSV.format(column="taken_at", cell="2026-11-27 10:00:00"),
        (1, "times without a zone are taken as UTC"),
    ),
    "conflicting_rows": (
        TWICE.format(again="billing,t,0,6,9,a"),
        (1, "1 partition printed twice with different figures: the first row is used"),
    ),
    "contested": (
        TWICE.format(again="billing,t,0,5,9,b"),
        (1, "1 partition with several owners"),
    ),
    "offset_lag_is_length": (
        STREAMS.format(commit="", value=""),
        (1, "OFFSET-LAG without CURRENT-OFFSET: some releases print the log's length there"),
    ),
}


@pytest.mark.parametrize("code", SHOWS)
def test_an_input_that_shows_it_has_the_note(code):
    text, (count, sentence) = SHOWS[code]

    note = notes_of(text)[code]

    assert (note["count"], note["text"]) == (count, sentence)
    assert note["lines"] or code == "offset_lag_is_length"


DOES_NOT = {
    "total_differs": RPK.format(total=42),
    "owners_differ": CONSOLE.format(owner="kgo-1"),
    "two_sources": METRICS.format(other=4),
    "one_client": JMX.format(group='group_id="billing",'),
    "guessed_topic": HEADING.format(topic="orders", column="| Topic ", rule="| --- ", cell="| t "),
    "guessed_member_ids": CSV.format(column="member_id", cell="pay-1"),
    "zone_assumed": CSV.format(column="taken_at", cell="2026-11-27 10:00:00Z"),
    "conflicting_rows": TWICE.format(again="billing,t,1,6,9,a"),
    "contested": TWICE.format(again="billing,t,0,5,9,a"),
    "offset_lag_is_length": f"{HEAD}\nbilling t 0 5 9 4 a-1 /10.0.0.1 a\n",
}


@pytest.mark.parametrize("code", DOES_NOT)
def test_an_input_that_does_not_show_it_has_no_such_note(code):
    assert code not in notes_of(DOES_NOT[code])


def test_only_groups_with_a_time_that_names_no_zone_have_an_assumed_time():
    row = "{},t,0,5,9,2026-11-27 10:00:00{}\n"
    text = CSV.format(column="taken_at", cell="2026-11-27 10:00:00Z") + row.format("b", "")
    quoted = '"c","t",0,5,9,"2026-11-27 10:00:00"\n'
    groups = read_groups([("input.csv", (text + row.format("a", "+01:00") + quoted).encode())])

    readings = dict(
        zip(
            [key.group_id for key in groups.keys],
            readings_of_all(groups.parsed, groups.keys, has_notes=True),
            strict=True,
        )
    )

    notes = {name: [note["code"] for note in each.notes] for name, each in readings.items()}
    assert notes == {"a": [], "b": ["zone_assumed"], "billing": [], "c": ["zone_assumed"]}
    assert [name for name, each in readings.items() if "taken_at" in each.now.assumed] == ["b", "c"]


def test_columns_are_not_guessed_if_a_lag_contradicts_the_offsets(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(GUESS.format(lag=11))

    assert main(["diagnose", str(path)]) == 2

    assert "a guess, not used: --columns group_id=Gruppe,topic=Thema" in capsys.readouterr().err


def test_a_row_says_whose_a_partition_is_if_the_list_of_members_says_otherwise():
    groups = read_groups([("console.json", dedent(CONSOLE.format(owner="kgo-2")).encode())])

    group = groups.only()

    assert group.current.owner.tolist() == [0, 1]
    assert group.snapshot.member_id == ("kgo-1", "kgo-2")


def test_a_total_is_not_judged_if_the_lag_of_a_row_is_unknown():
    text = RPK.format(total=45).replace(
        "7               9               2 ", "-               9               - "
    )

    assert "total_differs" not in notes_of(text)


def test_each_group_of_a_paste_has_the_growth_of_its_own_readings(tmp_path, capsys):
    first = f"{HEAD}\na t 0 10 20 10 a-1 /10.0.0.1 a\nb t 0 5 9 4 b-1 /10.0.0.1 b\n"
    later = f"{HEAD}\na t 0 12 40 28 a-1 /10.0.0.1 a\nb t 0 9 9 0 b-2 /10.0.0.1 b\n"
    path = tmp_path / "twice.txt"
    path.write_text(f"{first}\n{later}")

    assert main(["diagnose", str(path), "--json"]) == 0

    lines = map(json.loads, capsys.readouterr().out.splitlines())
    by_group = {line.get("group"): line for line in lines}
    growth = {name: by_group[name]["growth"] for name in "ab"}
    assert [growth[name]["lag"] for name in "ab"] == [18, -4]
    assert [growth[name]["produced"] for name in "ab"] == [20, 0]
    assert [growth[name]["consumed"] for name in "ab"] == [2, 4]
    assert [growth[name]["seconds"] for name in "ab"] == [None, None]
    notes = {name: [note["text"] for note in by_group[name]["notes"]] for name in "ab"}
    assert notes == {
        "a": [
            "2 readings, the latest is used: the lag grew by 18 records: 20 came in, 2 were read"
        ],
        "b": [
            "2 readings, the latest is used: the lag fell by 4 records: 0 came in, 4 were read",
            "1 partition with another owner than in the first reading",
        ],
    }


def test_readings_with_times_tell_the_seconds_between_them(tmp_path, capsys):
    path = tmp_path / "timed.txt"
    path.write_text(
        f"2026-11-27T09:00:00Z\n\n{HEAD}\na t 0 10 20 10 a-1 /10.0.0.1 a\n"
        f"\n2026-11-27T09:02:00Z\n\n{HEAD}\na t 0 12 40 28 a-1 /10.0.0.1 a\n"
    )

    assert main(["diagnose", str(path), "--json"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert answer["growth"] == {
        "lag": 18,
        "produced": 20,
        "consumed": 2,
        "readings": 2,
        "seconds": 120.0,
        "from": "2026-11-27T09:00:00+00:00",
        "to": "2026-11-27T09:02:00+00:00",
    }
    (note,) = answer["notes"]
    assert (
        note["text"]
        == "2 readings, the latest is used: the lag grew by 18 records in 120 s: 20 came in, 2"
        " were read"
    )


def test_the_text_of_commands_has_the_notes(tmp_path, capsys):
    path = tmp_path / "rpk.txt"
    path.write_text(dedent(RPK.format(total=45)))
    note = (
        "A printed total is not the sum of its rows; the rows are used: 45 printed, 42 in the rows."
    )

    assert main(["diagnose", str(path)]) == 0
    assert f"Input: {note}" in capsys.readouterr().out.splitlines()
    assert main(["compare", str(path)]) == 0
    assert f"input: {note}" in capsys.readouterr().out.splitlines()


def test_both_owners_of_a_partition_own_it_and_no_line_is_rejected():
    rows = "billing t 0 5 9 4 a-1 /10.0.0.1 a\nbilling t 0 5 9 4 b-1 /10.0.0.2 b\n"
    text = f"{HEAD}\n{rows}billing t 1 5 9 4 b-1 /10.0.0.2 b\n".encode()

    groups = read_groups([("listing.txt", text)])

    group = groups.only()
    owned = {member: [] for member in group.snapshot.member_id}
    for member, partition in zip(group.snapshot.claim_member, group.snapshot.claim_tp, strict=True):
        owned[group.snapshot.member_id[member]].append(int(partition))
    assert owned == {"a-1": [0], "b-1": [0, 1]}
    assert "members" in group.assumed
    assert (groups.parsed.row_count, groups.parsed.rejected.num_rows) == (3, 0)


def test_a_later_reading_with_the_same_offsets_and_another_owner_counts():
    row = "billing t 0 5 9 4 {}-1 /10.0.0.1 {}\n"
    text = f"{HEAD}\n{row.format('a', 'a')}\n{HEAD}\n{row.format('b', 'b')}"

    assert notes_of(text)["owners_changed"]["count"] == 1


def test_an_end_that_fell_is_not_said_to_have_come_in():
    growth = {"lag": -2_000, "seconds": 60.0, "produced": -1_990, "consumed": 10}

    assert growth_words(growth) == "the lag fell by 2,000 records in 60 s"


def test_an_owner_that_one_reading_does_not_say_has_not_changed():
    row = "billing t 0 5 9 4"
    without = HEAD.partition(" CONSUMER")[0]
    notes = notes_of(f"{HEAD}\n{row} a-1 /10.0.0.1 a\n{without}\nbilling t 0 6 9 3\n")

    assert "repeated_readings" in notes
    assert "owners_changed" not in notes


def test_members_that_share_a_partition_are_not_idle(tmp_path, capsys):
    rows = "".join(f"billing t 0 5 900 895 {name}-1 /10.0.0.1 {name}\n" for name in "abc")
    path = tmp_path / "listing.txt"
    path.write_text(f"{HEAD}\n{rows}")

    assert main(["diagnose", str(path)]) == 0

    assert "has no partition" not in (text := capsys.readouterr().out)
    assert "have no partition" not in text


def test_partitions_of_a_second_owner_are_listed_once():
    rows = "".join(
        f"billing t {p} 5 9 4 {name}-1 /10.0.0.1 {name}\n" for p in range(30) for name in "ab"
    )

    members = with_second_owners(listing.parse(f"{HEAD}\n{rows}".encode(), "f")).members

    owned = [each for each in members["owned"].to_pylist() if each is not None]
    assert [len(each[0]["partitions"]) for each in owned] == [30]
    groups = read_groups([("f", f"{HEAD}\n{rows}".encode())])
    assert groups.only().snapshot.claim_tp.size == 60
    assert groups.parsed.rejected.num_rows == 0
