from io import BytesIO

import pytest

from evenkeel.data.group.tables.parsed import joined
from evenkeel.data.sources.console.exact.streams import tasks_by_column
from evenkeel.data.sources.console.listing import parse, ranges_of
from evenkeel.data.sources.inputs import read
from tests.data.sources.corpus import CORPUS, corpus

YK, ZR = "Yk1aQ0m3TfK2pZs8wXv1Lg", "Zr7bW1n4UgL3qAt9xYw2Mh"
HEADER = "GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS\n"


def _consumers(parsed, *columns):
    return [tuple(row.values()) for row in parsed.consumers.select(columns).to_pylist()]


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        (
            "ACTIVE: 0:[0,2]; STANDBY: 0:[1]; ",
            {"current_active": ["0_0", "0_2"], "current_standby": ["0_1"]},
        ),
        (
            "ACTIVE: 0:[0]; 1:[0,1]; TARGET-WARMUP: 2:[7]; ",
            {"current_active": ["0_0", "1_0", "1_1"], "warmup": ["2_7"]},
        ),
        ("ACTIVE-TASKS:: 0: [0, 1] ", {"current_active": ["0_0", "0_1"]}),
        ("ACTIVE-TASKS:: 0: [[0, 1],1: [[0]] ", {"current_active": ["0_0", "0_1", "1_0"]}),
        ("TARGET-STANDBY-TASKS:: ] ", {"standby": []}),
        ("TARGET-ACTIVE-TASKS: 0:[0] 1:[0]", {"owned": ["0_0", "1_0"]}),
        ("WARMUP-TASKS:", {"current_warmup": []}),
    ],
)
def test_every_form_of_a_list_of_tasks_is_read(text, tasks):
    assert tasks_by_column(text) == tasks


def test_a_line_a_consumer_says_what_runs_now_and_what_is_not_listed_is_nothing():
    assert _consumers(
        corpus("streams-members.txt"),
        "client_id",
        "current_active",
        "current_standby",
        "current_warmup",
        "owned",
    ) == [
        ("wc-1", ["0_0", "0_2", "1_0"], ["0_1"], [], None),
        ("wc 2", ["0_1"], ["0_0"], ["0_2"], None),
        ("wc 2", [], [], [], None),
    ]


def test_verbose_says_the_target_too_and_the_epochs_of_members():
    parsed = corpus("streams-members-verbose.txt")

    assert _consumers(parsed, "member_id", "current_active", "owned", "standby") == [
        (YK, ["0_0", "0_1"], ["0_0"], []),
        (ZR, [], ["0_1"], ["0_0"]),
    ]
    assert parsed.members.select(["group_type", "epoch", "assignment_epoch"]).to_pylist() == [
        {"group_type": "streams", "epoch": 14, "assignment_epoch": 15},
        {"group_type": "streams", "epoch": 15, "assignment_epoch": 15},
    ]


@pytest.mark.parametrize("file", ["streams-members-first.txt", "streams-members-first-verbose.txt"])
def test_lines_of_tasks_belong_to_the_consumer_above_them(file):
    parsed = read([CORPUS / file])

    assert _consumers(parsed, "member_id", "current_active")[0] == (YK, ["0_0", "0_1", "1_0"])
    assert _consumers(parsed, "owned", "standby")[0] == (
        (["0_0", "1_0"], ["0_1"]) if "verbose" in file else (None, None)
    )
    assert parsed.members.num_rows == parsed.consumers.num_rows


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("GROUP MEMBER PROCESS CLIENT-ID\nACTIVE-TASKS:: 0: [0] ", "no consumer above these tasks"),
        (
            f"{HEADER}app m p c ACTIVE: words:[0]; ",
            "a subtopology is 'words', expected a whole number",
        ),
        (f"{HEADER}app m p c ACTIVE: 0-[0]; ", "tasks are '0-[0];', expected a list such as"),
        (f"{HEADER}app m p c TARGET-ACTIVE: 0:[0]; ", "expected target tasks only with --verbose"),
        (
            f"{HEADER}my app m p my client ACTIVE: 0:[0]; ",
            "not a row of this listing, expected 5 columns",
        ),
        (f"{HEADER}app m", "not a row of this listing"),
    ],
)
def test_a_line_that_is_no_consumer_is_rejected_with_the_reason(text, reason):
    (rejected,) = parse(text.encode(), "f").rejected.to_pylist()

    assert reason in rejected["reason"]


def test_a_process_id_tells_where_names_with_blanks_end():
    process = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    parsed = parse(f"{HEADER}my app m {process} my client ACTIVE: 0:[0]; ".encode(), "f")

    assert _consumers(parsed, "group_id", "member_id", "process_id", "client_id") == [
        ("my app", "m", process, "my client")
    ]


def test_offsets_have_the_printed_lag_but_for_the_first_form_with_verbose_which_prints_no_lag():
    parsed = corpus("streams-offsets.txt")

    assert parsed.offsets.select(
        ["group_id", "committed_offset", "end_offset", "listed_lag", "group_type"]
    ).to_pylist() == [
        {
            "group_id": "wordcount",
            "committed_offset": None,
            "end_offset": None,
            "listed_lag": 5,
            "group_type": "streams",
        },
        {
            "group_id": "word count",
            "committed_offset": None,
            "end_offset": None,
            "listed_lag": None,
            "group_type": "streams",
        },
        {
            "group_id": "other",
            "committed_offset": 95,
            "end_offset": 100,
            "listed_lag": 5,
            "group_type": "streams",
        },
        {
            "group_id": "other",
            "committed_offset": None,
            "end_offset": 70,
            "listed_lag": 70,
            "group_type": "streams",
        },
        {
            "group_id": "third",
            "committed_offset": None,
            "end_offset": None,
            "listed_lag": None,
            "group_type": "streams",
        },
    ]


def test_the_type_of_a_state_is_known_by_its_columns_or_by_a_state_of_streams_groups_alone():
    states = (
        corpus("streams-state.txt")
        .members.select(["group_id", "group_type", "group_state", "assignor", "group_epoch"])
        .to_pylist()
    )

    assert [tuple(row.values()) for row in states] == [
        ("wordcount", "streams", "NotReady", None, None),
        ("shared", None, "Stable", None, None),
        ("other", "streams", "Assigning", None, 15),
        ("third", "streams", "Stable", "sticky", 15),
        ("fourth", "streams", "Stable", "sticky", None),
    ]


def test_lines_of_tasks_that_another_task_of_an_ingest_reads_know_their_consumer():
    data = (CORPUS / "streams-members-first.txt").read_bytes()

    parts = [
        parse(data[part.start : part.stop], "f", part.context)
        for part in ranges_of(BytesIO(data), 30)
    ]

    assert len(parts) > 5
    assert joined(parts).consumers.equals(parse(data, "f").consumers)
