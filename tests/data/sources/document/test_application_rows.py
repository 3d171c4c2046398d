import json

from evenkeel.data.group.columns import GroupKey, group_keys, observed_from_tables
from evenkeel.data.group.tables.load import load_by_group, load_by_member, shares_of_members
from evenkeel.data.sources import documents
from tests.generated.small_applications import EXAMPLE_APPLICATION, changed_application
from tests.generated.small_documents import EXAMPLE

FIRST = EXAMPLE_APPLICATION["processes"][0]["process_id"]


def test_streams_documents_and_group_documents_may_stand_in_one_file_a_line_each():
    lines = [
        json.dumps(EXAMPLE_APPLICATION),
        json.dumps(EXAMPLE),
        json.dumps(changed_application("tasks/0/task_id", "x")),
    ]

    parsed = documents.parse("\n".join(lines).encode(), "groups.jsonl")

    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (3, 2, 0)
    assert parsed.formats == ("evenkeel.streams/1", "evenkeel.group/1")
    assert parsed.rejected.select(["source_line", "source_format", "reason"]).to_pylist() == [
        {
            "source_line": 3,
            "source_format": "evenkeel.streams/1",
            "reason": (
                '$.tasks[0].task_id: found "x", expected subtopology and partition such as 0_3,'
                " both at most 2147483647"
            ),
        }
    ]


def test_tasks_and_consumers_have_a_row_each():
    parsed = documents.parse(json.dumps(EXAMPLE_APPLICATION, indent=1).encode(), "wordcount.json")

    assert parsed.tasks.select(
        ["group_id", "task_order", "task_id", "stateful", "end_offset_sum"]
    ).to_pylist() == [
        {
            "group_id": "wordcount",
            "task_order": 0,
            "task_id": "1_0",
            "stateful": False,
            "end_offset_sum": None,
        },
        {
            "group_id": "wordcount",
            "task_order": 1,
            "task_id": "0_1",
            "stateful": True,
            "end_offset_sum": 1200,
        },
        {
            "group_id": "wordcount",
            "task_order": 2,
            "task_id": "0_0",
            "stateful": True,
            "end_offset_sum": 500,
        },
    ]
    assert parsed.consumers.select(["member_id", "client_id", "owned", "standby"]).to_pylist() == [
        {"member_id": None, "client_id": None, "owned": None, "standby": None},
        {"member_id": "wc-1-a", "client_id": "wc-1", "owned": ["0_0", "0_1"], "standby": None},
        {"member_id": "wc-2-a", "client_id": None, "owned": ["1_0"], "standby": None},
        {"member_id": "wc-2-b", "client_id": None, "owned": None, "standby": ["0_0"]},
    ]


def test_an_application_is_also_a_group_whose_consumers_are_members():
    parsed = documents.parse(json.dumps(EXAMPLE_APPLICATION).encode(), "wordcount.json")
    tables = (parsed.offsets, parsed.members, parsed.topics)

    group = observed_from_tables(*tables, "wordcount")

    assert group_keys(*tables) == [GroupKey("wordcount")]
    assert (group.group_type, group.assignor, group.snapshot.member_id) == (
        "classic",
        "stream",
        ("wc-1-a", "wc-2-a", "wc-2-b"),
    )


def test_what_members_own_is_known_where_the_partitions_of_all_their_tasks_are():
    tasks = [
        {"task_id": f"0_{number}", "stateful": False, "input_partitions": {"words": [number]}}
        for number in range(3)
    ]
    processes = [
        {
            "process_id": FIRST,
            "consumers": [
                {"member_id": "a", "owned": ["0_0", "0_2"]},
                {"member_id": "b", "owned": []},
            ],
        }
    ]
    known = documents.parse(
        json.dumps(
            {"format": "evenkeel.streams/1", "tasks": tasks, "processes": processes}
        ).encode(),
        "x.json",
    )
    unknown = documents.parse(json.dumps(EXAMPLE_APPLICATION).encode(), "wordcount.json")

    assert known.members["owned"].to_pylist() == [
        None,
        [{"topic": "words", "partitions": [0, 2]}],
        [],
    ]
    assert unknown.members["owned"].to_pylist() == [None] * 4


def test_what_is_unknown_of_consumers_is_not_counted():
    parsed = documents.parse(json.dumps(EXAMPLE_APPLICATION).encode(), "wordcount.json")

    (load,) = load_by_group(load_by_member(shares_of_members(parsed.members))).to_pylist()

    assert load["member_count"] == 3
    assert [
        load[name]
        for name in ("idle_members", "partition_count", "unassigned_count", "lag", "max_lag")
    ] == [
        None,
        None,
        None,
        None,
        None,
    ]
