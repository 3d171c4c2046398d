import json

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode_application
from tests.generated.small_applications import EXAMPLE_APPLICATION, changed_application

REFUSED = {
    "a group document": (
        changed_application("format", "evenkeel.group/1"),
        '$.format: found "evenkeel.group/1", expected "evenkeel.streams/1"',
    ),
    "no object": ([], "$: found [], expected the object of a streams document"),
    "a task id with text": (
        changed_application("tasks/1/task_id", "0_x"),
        (
            '$.tasks[1].task_id: found "0_x", expected subtopology and partition such as 0_3, both'
            " at most 2147483647"
        ),
    ),
    "a task id that another one equals in Kafka": (
        changed_application("tasks/1/task_id", "0_01"),
        '$.tasks[1].task_id: found "0_01"',
    ),
    "a task id beyond int32": (
        changed_application("tasks/1/task_id", f"0_{2**31}"),
        "$.tasks[1].task_id: found",
    ),
    "a repeated task": (
        changed_application("tasks/2/task_id", "0_1"),
        '$.tasks[2].task_id: "0_1" is the same as in $.tasks[1], expected every task_id once',
    ),
    "no word on state": (
        changed_application("tasks/0", {"task_id": "1_0"}),
        "$.tasks[0].stateful: missing, expected a value",
    ),
    "a negative end": (
        changed_application("tasks/1/end_offset_sum", -3),
        "$.tasks[1].end_offset_sum: found -3, expected int >= 0",
    ),
    "racks that are no lists of lists": (
        changed_application("tasks/1/source_racks", ["a"]),
        '$.tasks[1].source_racks[0]: found "a", expected array',
    ),
    "an input partition that is no number": (
        changed_application("tasks/0/input_partitions", {"words": ["0"]}),
        '$.tasks[0].input_partitions.words[0]: found "0", expected int',
    ),
    "a process id that is no UUID": (
        changed_application("processes/1/process_id", "1"),
        '$.processes[1].process_id: found "1", expected a UUID in 36 characters',
    ),
    "one process twice, in other letters": (
        changed_application("processes/1/process_id", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
        (
            '$.processes[1].process_id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" is the same as in'
            " $.processes[0]"
        ),
    ),
    "a process without consumers": (
        changed_application("processes/0/consumers", []),
        "$.processes[0].consumers: found [], expected at least one",
    ),
    "a member in two processes": (
        changed_application("processes/1/consumers/1/member_id", "wc-1-a"),
        (
            '$.processes[1].consumers[1].member_id: "wc-1-a" is the same as in'
            " $.processes[0].consumers[0], expected every member_id once"
        ),
    ),
    "an owned task that is no task id": (
        changed_application("processes/1/consumers/0/owned", ["1_0", "x"]),
        '$.processes[1].consumers[0].owned[1]: found "x"',
    ),
    "a sum below the wire's": (
        changed_application("processes/0/consumers/0/task_offset_sums", {"0_0": -2, "0_1": -4}),
        "$.processes[0].consumers[0].task_offset_sums.0_1: found -4, expected int >= -3",
    ),
    "a sum that means nothing": (
        changed_application("processes/0/consumers/0/task_offset_sums", {"0_0": -1}),
        (
            "$.processes[0].consumers[0].task_offset_sums.0_0: found -1, expected -2 (running), -3"
            " (unknown) or a sum of offsets"
        ),
    ),
    "a type that is none of an application": (
        changed_application("type", "share"),
        '$.type: found "share", expected one of classic, streams',
    ),
    "an unknown key of a consumer": (
        changed_application("processes/1/consumers/1", {"member_id": "b", "subscribed": []}),
        (
            "$.processes[1].consumers[1].subscribed: unknown key, expected one of member_id, owned,"
            " standby, task_offset_sums"
        ),
    ),
    "an unknown key of the document": (
        changed_application("members", []),
        "$.members: unknown key, expected one of format, application_id",
    ),
    "a tag that is no text": (
        changed_application("processes/0/client_tags", {"zone": "x", "rack": 1}),
        "$.processes[0].client_tags.rack: found 1, expected str",
    ),
    "a negative rate": (
        changed_application("end_offset_rates", {"0_1": -1.0}),
        "$.end_offset_rates.0_1: found -1.0, expected float >= 0.0",
    ),
    "a time that is none": (
        changed_application("taken_at", "noon"),
        '$.taken_at: found "noon", expected',
    ),
}


@pytest.mark.parametrize(("refused", "message"), REFUSED.values(), ids=REFUSED)
def test_a_streams_document_is_refused_with_the_path_the_value_and_what_was_expected(
    refused, message
):
    with pytest.raises(SnapshotError) as error:
        decode_application(json.dumps(refused))

    assert str(error.value).startswith(message)


def test_a_key_that_appears_twice_is_refused():
    text = json.dumps(EXAMPLE_APPLICATION).replace(
        '"stateful": false', '"stateful": false, "stateful": true'
    )

    with pytest.raises(
        SnapshotError, match=r"^\$\.tasks\[0\]\.stateful: the key appears twice, expected once$"
    ):
        decode_application(text)


def test_null_equals_a_missing_key():
    bare = {"format": "evenkeel.streams/1"}

    assert decode_application(
        json.dumps(bare | {"tasks": None, "processes": None, "settings": None})
    ) == decode_application(json.dumps(bare))
