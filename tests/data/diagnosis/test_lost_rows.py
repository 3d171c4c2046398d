"""A listing that is cut: its figures hold for the rows that were read."""

import json

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.stored import stored_readings
from evenkeel.data.group.budget import COMMAND_LINE
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.batch import stored_here
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.scenarios.stored_groups import StoredGroup
from tests.data.diagnosis.listed import answer, answers, codes

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROWS = "g t 0 100 110 10 a-1 /10.0.0.1 a\ng t 1 100 110 10 b-1 /10.0.0.2 b\n"
PADDED = (
    "GROUP    TOPIC    PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST      CLIENT-ID"
    "\nshipping parcels  0         100            110            10  s-1         /10.0.0.1 s\n"
)
ENDS = "the input ends in the middle of a row: partitions may be missing"
LOST = "1 row could not be read: partitions may be missing"
JSON = (
    '{"groupId":"g","topicOffsets":[{"topic":"t","partitionOffsets":['
    '{"partitionId":0,"groupOffset":5,"highWaterMark":9,"memberId":"a"},{"partitionId":1,"gro'
)
METRICS = (
    'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0"} 4\n'
    'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="1"} 4\n'
    'kafka_consumergroup_lag{consumergroup="g",topic="t",par'
)


def notes(text, file="a.txt"):
    groups = read_groups([(file, text.encode())])
    (only,) = readings_of_all(groups.parsed, groups.keys, has_notes=True)
    return {note["code"]: note["text"] for note in only.notes}


def stored(folder, text, *names):
    """Return the readings of some groups of a stored listing."""
    place = place_of(folder)
    place.write("cut.txt", text.encode())
    stored_here([Input("cut.txt", place, "cut.txt")], place, batch="cut")
    return [
        stored_readings(StoredGroup(place, "cut", name, None, COMMAND_LINE), has_notes=True)
        for name in names
    ]


def test_a_listing_that_ends_in_half_a_row_is_fine_only_as_far_as_is_known():
    one = answer(HEAD + ROWS + "g t 2 100")

    assert one.sentence == (
        "g is fine as far as is known: 20 records on 2 partitions, at most 10 on one member."
    )
    assert one.advice == (
        "Paste the whole listing: a row could not be read, and partitions may be missing."
    )
    assert one.settles == "the input with all its rows"
    (nothing,) = one.remedies
    assert (nothing.helps.value, nothing.why) == ("unknown", "partitions may be missing")


@pytest.mark.parametrize("line", ["ship     par", "shipping parcels", "ship     parcels"])
def test_a_row_that_is_cut_in_its_names_is_no_message_of_a_tool(line):
    is_padded = "  " in line

    assert ("lost_rows" in notes(PADDED + line)) == is_padded


def test_a_cause_that_needs_a_later_reading_still_needs_it_where_a_row_is_cut():
    rows = "g t 0 100 90100 90000 a-1 /h a\ng t 1 100 110 10 b-1 /h b\n"

    assert answer(HEAD + rows + "g t 2 100").settles == "a second reading, 60 s later"


@pytest.mark.parametrize(
    ("text", "file", "told"),
    [
        (HEAD + ROWS + "g t 2 100", "a.txt", ENDS),
        (HEAD + "g t 2 100\n" + ROWS, "a.txt", LOST),
        (
            "group,topic,partition,committed_offset,end_offset\ng,t,0,5,9\ng,t,1,x,9\n",
            "a.csv",
            LOST,
        ),
        ("group,topic,partition,committed_offset,end_offset\ng,t,0,5,9\ng,t,1\n", "a.csv", ENDS),
        (JSON, "a.json", ENDS),
        (METRICS, "a.txt", ENDS),
        (
            HEAD + "g t 2 100\n" + ROWS + "g t 3",
            "a.txt",
            "2 rows could not be read, the last row is truncated: partitions may be missing",
        ),
    ],
)
def test_a_row_that_could_not_be_read_is_a_note(text, file, told):
    assert notes(text, file)["lost_rows"] == told


def test_a_row_that_contradicts_an_earlier_row_is_not_lost():
    assert "lost_rows" not in notes(HEAD + ROWS + "g t 1 100 115 15 b-1 /10.0.0.2 b\n")


def test_a_cut_row_of_an_earlier_reading_is_not_lost_now():
    text = HEAD + "g t 2 100\n" + ROWS + HEAD + ROWS.replace(" 100 110 10", " 105 110 5")

    assert "lost_rows" not in notes(text)


def test_a_cut_row_belongs_to_the_group_that_it_names_and_else_to_the_group_above():
    both = HEAD + ROWS + "h t 0 100 110 10 c-1 /10.0.0.3 c\n"
    cut = {
        tail: [each.names.group_id for each in answers(both + tail) if not each.case.now.is_whole]
        for tail in ("h t 1 100", "g t 2 100")
    }

    assert cut == {"h t 1 100": ["h"], "g t 2 100": ["g"]}


def test_a_cut_row_of_a_group_without_other_rows_is_not_of_the_group_above():
    one = answer(HEAD + ROWS + "h t 0 100\n")

    assert one.sentence == "g is fine: 20 records on 2 partitions, at most 10 on one member."


def test_a_cut_row_above_the_table_of_another_group_does_not_end_the_input(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text(HEAD + ROWS + "g t 2 100\n" + HEAD + "h t 0 100 110 10 c-1 /10.0.0.3 c\n")

    assert main(["diagnose", str(path), "--group", "g", "--json"]) == 0

    assert [note["text"] for note in json.loads(capsys.readouterr().out)["notes"]] == [LOST]
    assert [each["text"] for each in stored(tmp_path, path.read_text(), "g")[0].notes] == [LOST]


def test_what_else_settles_a_cause_is_still_asked_for_if_a_row_is_cut():
    rows = HEAD + "g t 0 0 5000 5000 - - -\n"

    assert [(codes(one), one.settles) for one in (answer(rows), answer(rows + "g t 1 100\n"))] == [
        (["down"], "the state of the group")
    ] * 2


def test_rows_settle_nothing_of_an_unknown_lag():
    table = "group,topic,partition,committed_offset\ng,t,0,10\n"
    one = answer(table + "g,t,1\n", "a.csv")

    assert (codes(one), one.case.now.is_whole, one.settles) == (["unknown"], False, None)


def test_nothing_is_certain_of_a_listing_that_lacks_rows():
    rows = HEAD + "g t 0 0 5000 5000 - - -\n"
    state = "Consumer group 'g' has no active members.\n"
    whole, cut = answer(state + rows), answer(state + rows + "g t 1 100\n")

    assert [(codes(one), one.headline.certainty.value) for one in (whole, cut)] == [
        (["down"], "certain"),
        (["down"], "likely"),
    ]


def test_a_list_of_groups_does_not_count_a_group_that_lacks_rows_as_healthy(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text(HEAD + ROWS + "h t 0 100 110 10 c-1 /10.0.0.3 c\nh t 1 100\n")

    assert main(["diagnose", str(path)]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[0].split()) == (
        "fine h h is fine as far as is known: 10 records on 1 partition, at most 10 on one member. "
        "Paste the whole listing: a row could not be read, and partitions may be missing."
    )
    assert lines[1:] == [
        "1 group is fine.",
        "Rows of 1 group could not be read: partitions may be missing.",
    ]


def test_a_stored_listing_lacks_the_same_rows(tmp_path):
    text = HEAD + ROWS + "h t 0 100 110 10 c-1 /10.0.0.3 c\nh t 1 100\n"

    g, h = stored(tmp_path, text, "g", "h")

    assert [each.lost_count for each in (g, h)] == [0, 1]
    assert [note["text"] for note in h.notes] == [ENDS]
    assert diagnosed(h).sentence.startswith("h is fine as far as is known")
