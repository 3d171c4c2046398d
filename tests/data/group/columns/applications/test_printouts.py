import pytest

from evenkeel.data.group.columns import (
    ApplicationTables,
    application_from_document,
    application_from_tables,
)
from evenkeel.data.sources.inputs import read
from tests.data.sources.corpus import CORPUS

YK, ZR = "Yk1aQ0m3TfK2pZs8wXv1Lg", "Zr7bW1n4UgL3qAt9xYw2Mh"
STATE = b"GROUP COORDINATOR (ID) STATE #MEMBERS\nwordcount broker-2:9092 (2) Stable 2\n"
OFFSETS = b"GROUP TOPIC PARTITION OFFSET-LAG\nwordcount words 0 5\nwordcount words 1 0\n"


def _document(*inputs):
    parsed = read(
        [
            CORPUS / one if isinstance(one, str) else (f"f{place}", one)
            for place, one in enumerate(inputs)
        ]
    )
    return application_from_tables(
        ApplicationTables(parsed.tasks, parsed.consumers, parsed.members, parsed.offsets),
        "wordcount",
    )


def _consumers(document):
    return [consumer for process in document.processes for consumer in process.consumers]


def test_what_runs_now_stands_for_the_target_that_is_not_printed_and_is_named():
    document = _document("streams-members.txt")

    assert [(process.client_id, len(process.consumers)) for process in document.processes] == [
        ("wc-1", 1),
        ("wc 2", 2),
    ]
    assert [(one.owned, one.standby, one.task_offset_sums) for one in _consumers(document)] == [
        (["0_0", "0_2", "1_0"], ["0_1"], {"0_0": -2, "0_2": -2, "1_0": -2, "0_1": -3}),
        (["0_1"], ["0_0"], {"0_0": -3, "0_2": -3, "0_1": -2}),
        ([], [], {}),
    ]
    assert document.type == "streams"
    assert document.settings == {"num.standby.replicas": 1}
    assert {"processes[*].consumers[*].owned", "processes[*].consumers[*].standby", "tasks"} < set(
        document.assumed
    )


def test_the_target_is_the_input_of_the_next_rebalance_where_it_is_printed():
    document = _document("streams-members-verbose.txt")

    assert [(one.owned, one.standby, one.task_offset_sums) for one in _consumers(document)] == [
        (["0_0"], [], {"0_0": -2, "0_1": -2}),
        (["0_1"], ["0_0"], {}),
    ]
    assert [path for path in document.assumed if path.startswith("processes")] == []


@pytest.mark.parametrize("file", ["streams-members.txt", "streams-members-first.txt"])
def test_a_stable_group_has_reached_its_target_and_runs_all_its_tasks(file):
    document = _document(file, STATE)

    assert [
        path for path in document.assumed if path.startswith("processes") or path == "tasks"
    ] == []


def test_a_subtopology_with_a_copy_somewhere_is_stateful_and_another_one_is_taken_to_be():
    document = _document("streams-members.txt", STATE)

    assert [(task.task_id, task.stateful, task.end_offset_sum) for task in document.tasks] == [
        ("0_0", True, None),
        ("0_1", True, None),
        ("0_2", True, None),
        ("1_0", True, None),
    ]
    assert document.assumed == ["tasks[3].stateful", 'settings["num.standby.replicas"]']


def test_one_path_names_all_tasks_of_which_none_is_known_to_be_stateful():
    assert _document(
        b"GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS\nwordcount m p-77 c ACTIVE: 0:[0,1]; ", STATE
    ).assumed == [
        "processes[0].process_id",
        "tasks[*].stateful",
    ]


def test_a_single_subtopology_reads_all_listed_topics():
    document = _document("streams-members-verbose.txt", STATE, OFFSETS)

    assert [(task.task_id, task.input_partitions) for task in document.tasks] == [
        ("0_0", {"words": [0]}),
        ("0_1", {"words": [1]}),
    ]


def test_a_process_id_that_is_none_gets_a_stand_in_that_is_named():
    document = _document(
        b"GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS\nwordcount m1 p-77"
        b" wc-1-StreamThread-1-consumer ACTIVE: 0:[0]; ",
        STATE,
    )

    # UUID.nameUUIDFromBytes("p-77".getBytes()) of Java.
    assert document.processes[0].process_id == "2b4b64c8-e560-3d15-952a-83944a9bf980"
    assert document.processes[0].client_id == "wc-1"
    assert "processes[0].process_id" in document.assumed


def test_a_printout_becomes_an_application_that_assignors_take():
    application = application_from_document(_document("streams-members.txt", STATE))

    assert (application.task_count, application.process_count, application.member_count) == (
        4,
        2,
        3,
    )
