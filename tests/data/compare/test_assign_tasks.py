import json

import msgspec
import pytest

from evenkeel.data.compare.assign_command import answer
from tests.generated.small_applications import EXAMPLE_APPLICATION, changed_application

FIRST, SECOND = (process["process_id"] for process in EXAMPLE_APPLICATION["processes"])


def answered(group: dict, assignor: str = "high-availability", **request) -> dict:
    line = json.dumps({"assignor": assignor, "group": group, **request}).encode()
    return msgspec.to_builtins(answer(line))


def refused(group: dict, **request) -> str:
    found = answered(group, **request)
    assert found == {
        "assignment": {},
        "threads": {},
        "withheld": {},
        "probing_rebalance": False,
        "assumed": [],
        "error": found["error"],
    }
    assert found["error"]["type"] == "RequestError"
    return found["error"]["message"]


# The answer of Kafka 4.3.1.
def test_the_answer_names_processes_threads_and_what_waits():
    assert answered(EXAMPLE_APPLICATION) == {
        "assignment": {
            FIRST: {"active": ["0_1"], "standby": [], "warmup": []},
            SECOND: {"active": ["0_0", "1_0"], "standby": [], "warmup": []},
        },
        "threads": {
            "wc-1-a": {"active": ["0_1"], "standby": []},
            "wc-2-a": {"active": ["0_0"], "standby": []},
            "wc-2-b": {"active": ["1_0"], "standby": []},
        },
        "withheld": {"wc-2-a": ["0_0"], "wc-2-b": ["1_0"]},
        "probing_rebalance": False,
        "assumed": [],
        "error": None,
    }


def test_a_warmup_is_a_standby_too_and_asks_for_a_probing_rebalance():
    behind = changed_application("processes/1/consumers/0/task_offset_sums", {"0_0": 3})

    found = answered(behind)

    assert found["assignment"][SECOND] == {"active": ["1_0"], "standby": ["0_0"], "warmup": ["0_0"]}
    assert found["assignment"][FIRST] == {"active": ["0_0", "0_1"], "standby": [], "warmup": []}
    assert found["probing_rebalance"]


def test_settings_of_a_request_override_those_of_the_document():
    behind = changed_application("processes/1/consumers/0/task_offset_sums", {"0_0": 3})

    assert not answered(behind, settings={"acceptable.recovery.lag": 2**63 - 1})[
        "probing_rebalance"
    ]
    assert answered(behind, settings={"acceptable.recovery.lag": None})["probing_rebalance"]


@pytest.mark.parametrize("tags", [["zone"], "zone", " zone ,"])
def test_a_list_of_tags_is_a_list_or_kafkas_line_of_text(tags):
    found = answered(
        EXAMPLE_APPLICATION,
        settings={"rack.aware.assignment.tags": tags, "num.standby.replicas": 1},
    )

    assert found["error"] is None
    assert found["assignment"][FIRST]["standby"] == ["0_0"]


def test_an_end_that_is_not_known_is_assumed_by_its_place_in_the_document():
    unknown = changed_application("tasks/1/end_offset_sum", None)

    assert answered(unknown)["assumed"] == ["tasks[1].end_offset_sum"]
    assert answered(changed_application("tasks/0/end_offset_sum", None))["assumed"] == []


# The answers of Kafka 4.3.1's leader: it takes its fallback in place of high-availability alone.
@pytest.mark.parametrize(
    ("assignor", "of_b", "probing", "assumed"),
    [
        (
            "high-availability",
            [],
            True,
            ["tasks[0].end_offset_sum", "tasks[1].end_offset_sum", "unread end offsets"],
        ),
        ("fallback-prior", [], True, ["tasks[0].end_offset_sum", "tasks[1].end_offset_sum"]),
        ("legacy-sticky", ["0_0"], False, ["tasks[0].end_offset_sum", "tasks[1].end_offset_sum"]),
    ],
)
def test_without_any_end_offset_tasks_stay_where_they_are(assignor, of_b, probing, assumed):
    application = {
        "format": "evenkeel.streams/1",
        "tasks": [{"task_id": "0_0", "stateful": True}, {"task_id": "0_1", "stateful": True}],
        "processes": [
            {
                "process_id": "00000000-0000-0000-0000-000000000001",
                "consumers": [
                    {
                        "member_id": "a",
                        "owned": ["0_0", "0_1"],
                        "task_offset_sums": {"0_0": -2, "0_1": -2},
                    }
                ],
            },
            {
                "process_id": "00000000-0000-0001-0000-000000000000",
                "consumers": [{"member_id": "b", "task_offset_sums": {"0_1": 5}}],
            },
        ],
    }

    found = answered(application, assignor)

    assert (found["threads"]["b"]["active"], found["probing_rebalance"], found["assumed"]) == (
        of_b,
        probing,
        assumed,
    )


# The ids of both processes and both consumers meet in one bucket each; the answers are those of
# Kafka 4.3.1's leader.
@pytest.mark.parametrize(
    ("order", "runs", "assumed"),
    [
        ((0, 1), "Aa", []),
        ((1, 0), "BB", []),
        ((None, None), "Aa", ["list order"]),
        ((3, None), "Aa", ["list order"]),
    ],
)
def test_the_coordinators_list_decides_where_hash_codes_collide(order, runs, assumed):
    ids = ("00000000-0000-0000-0000-000000000001", "00000000-0000-0001-0000-000000000000")
    processes = [
        {"process_id": process, "consumers": [{"member_id": member, "order": place}]}
        for process, member, place in zip(ids, ("Aa", "BB"), order, strict=True)
    ]

    found = answered(
        {
            "format": "evenkeel.streams/1",
            "tasks": [{"task_id": "0_0", "stateful": False}],
            "processes": processes,
        },
        "legacy-sticky",
    )

    assert (
        [member for member, roles in found["threads"].items() if roles["active"]],
        found["assumed"],
    ) == ([runs], assumed)


def test_what_the_document_assumes_is_assumed_where_it_can_matter():
    assumed = changed_application(
        "assumed",
        ["processes[*].client_id", "taken_at", "processes[*].consumers", "tasks[0].stateful"],
    )

    assert answered(assumed)["assumed"] == ["processes[*].consumers", "tasks[0].stateful"]


def test_an_application_without_tasks_and_processes_has_an_empty_answer():
    found = answered({"format": "evenkeel.streams/1"})

    assert (found["assignment"], found["threads"], found["error"]) == ({}, {}, None)


# What Kafka's classes throw.
@pytest.mark.parametrize(
    ("assignor", "tasks", "exception"),
    [
        ("high-availability", [{"task_id": "0_0", "stateful": True}], "NoSuchElementException"),
        ("high-availability", [{"task_id": "0_0", "stateful": False}], "NullPointerException"),
        ("legacy-sticky", [], "IllegalStateException"),
    ],
)
def test_tasks_without_processes_are_kafkas_exceptions(assignor, tasks, exception):
    found = answered({"format": "evenkeel.streams/1", "tasks": tasks}, assignor)

    assert (found["assignment"], found["error"]["type"]) == ({}, exception)


def test_a_process_that_owns_only_tasks_of_another_topology_is_kafkas_exception():
    found = answered(changed_application("processes/0/consumers/0/owned", ["7_0"]))

    assert found["error"]["type"] == "IllegalStateException"
    assert (
        answered(changed_application("processes/0/consumers/0/owned", ["7_0", "0_0"]))["error"]
        is None
    )


def test_a_setting_that_is_none_is_refused_by_its_place():
    expected = (
        "acceptable.recovery.lag, max.warmup.replicas, num.standby.replicas,"
        " probing.rebalance.interval.ms"
    )

    assert refused(EXAMPLE_APPLICATION, settings={"warmups": 2}).startswith(
        f'settings: "warmups" is not a setting of high-availability, expected {expected}'
    )
    assert refused(changed_application("settings", {"warmups": 2})).startswith(
        '$.settings: "warmups" is not a setting of high-availability'
    )
    assert "max_warmup_replicas is 0, expected" in refused(
        EXAMPLE_APPLICATION, settings={"max.warmup.replicas": 0}
    )


def test_each_kind_of_document_has_its_own_assignors():
    group = {"format": "evenkeel.group/1", "topics": [], "members": []}

    assert refused(group) == '$.format: found "evenkeel.group/1", expected "evenkeel.streams/1"'
    wrong = answered(EXAMPLE_APPLICATION, "range")
    assert (
        wrong["error"]["message"]
        == '$.format: found "evenkeel.streams/1", expected "evenkeel.group/1"'
    )
