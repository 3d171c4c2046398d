"""A classic application from what its threads sent and were given;
`tests/data/live/test_applications.py` reads real ones.
"""

from datetime import UTC, datetime
from types import SimpleNamespace

from evenkeel.data.live.reading.applications import classic_application
from evenkeel.data.live.reading.threads import Thread
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.consumer_protocol import Subscription
from evenkeel.data.live.wire.streams_user_data import NO_REBALANCE, AssignmentInfo, SubscriptionInfo

_ONE, _OTHER = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
_SEEN = {
    "orders": LiveTopic("", [["r1"], ["r2"]], [1, 1]),
    "app-store-changelog": LiveTopic("", [["r1"], [None]], [1, 1]),
}
_ENDS = {("app-store-changelog", 0): 50_000, ("app-store-changelog", 1): 70}


def thread(
    process: str, number: int, active: str, standby: str = "", sums: dict | None = None, **more
) -> Thread:
    """Return a thread of a process; it reads the topic `orders` alone."""
    rest = {
        "owned": None,
        "next_rebalance_ms": NO_REBALANCE,
        "rack": None,
        "topics": ["orders"],
        "client_tags": None,
    } | more
    name = f"wc-{process[-1]}-StreamThread-{number}-consumer"
    places = {task: [("orders", int(task[2:]))] for task in (active.split() + standby.split())}
    return Thread(
        SimpleNamespace(member_id=f"{name}-x", client_id=name, client_host="/127.0.0.1"),
        Subscription(3, rest["topics"], None, rest["owned"], 1, rest["rack"]),
        SubscriptionInfo(11, process, sums or {}, 0, rest["client_tags"]),
        AssignmentInfo(
            11,
            active.split(),
            {task: places[task] for task in standby.split()},
            0,
            rest["next_rebalance_ms"],
        ),
        {task: places[task] for task in active.split()},
    )


def read(*threads: Thread):
    return classic_application("app", threads, _SEEN, _ENDS, datetime(2026, 11, 20, tzinfo=UTC))


def test_tasks_have_their_partitions_the_ends_of_their_changelogs_and_the_racks_of_both():
    document = read(thread(_ONE, 1, "0_0", "0_1"), thread(_OTHER, 1, "0_1", "0_0")).document

    assert [
        (task.task_id, task.stateful, task.end_offset_sum, task.input_partitions)
        for task in document.tasks
    ] == [
        ("0_0", True, 50_000, {"orders": [0]}),
        ("0_1", True, 70, {"orders": [1]}),
    ]
    assert [(task.source_racks, task.changelog_racks) for task in document.tasks] == [
        ([["r1"]], [["r1"]]),
        ([["r2"]], None),
    ]
    assert (document.settings, document.type, document.application_id) == (
        {"num.standby.replicas": 1},
        "classic",
        "app",
    )
    assert document.assumed == ["settings", "processes[*].consumers[*].task_offset_sums"]


def test_threads_of_a_process_stand_together_and_one_of_another_rack_leaves_the_process_without():
    document = read(
        thread(_ONE, 1, "0_0", rack="a", client_tags={"zone": "x"}),
        thread(_OTHER, 1, "", rack="a"),
        thread(_ONE, 2, "0_1", rack="b", client_tags={"zone": "x"}),
    ).document

    assert [
        (one.process_id, one.client_id, one.rack, one.client_tags, len(one.consumers))
        for one in document.processes
    ] == [
        (_ONE, "wc-1", None, {"zone": "x"}, 2),
        (_OTHER, "wc-2", "a", None, 1),
    ]


def test_what_threads_sent_and_owned_when_they_joined_is_beside_what_they_have_now():
    live = read(
        thread(_ONE, 1, "0_0", "0_1", {"0_0": 40_000, "0_1": -2}, owned={"orders": [1]}),
        thread(_OTHER, 1, "0_1"),
    )

    joined, now = live.joined.processes[0].consumers[0], live.document.processes[0].consumers[0]
    assert (joined.owned, joined.standby, joined.task_offset_sums) == (
        ["0_1"],
        None,
        {"0_0": 40_000, "0_1": -2},
    )
    # It keeps what it ran as a copy, which counts as restored to the end.
    assert (now.owned, now.standby, now.task_offset_sums) == (
        ["0_0"],
        ["0_1"],
        {"0_0": -2, "0_1": 70},
    )


def test_while_the_leader_waits_for_warm_ups_a_copy_far_behind_has_what_was_last_reported():
    live = read(
        thread(_ONE, 1, "0_0", "0_1", next_rebalance_ms=1_790_000_000_000),
        thread(_OTHER, 1, "0_1", "0_0", {"0_0": 300}, next_rebalance_ms=NO_REBALANCE),
    )

    assert live.next_probing_ms == 1_790_000_000_000
    assert live.document.processes[0].consumers[0].task_offset_sums == {"0_0": -2, "0_1": 70}
    assert live.document.processes[1].consumers[0].task_offset_sums == {"0_1": -2, "0_0": 300}


def test_state_on_the_disk_of_a_process_counts_once_none_of_its_threads_has_the_task():
    live = read(
        thread(_ONE, 1, "", sums={"0_0": 40_000, "0_1": -2}),
        thread(_ONE, 2, "0_0"),
        thread(_OTHER, 1, "0_1"),
    )

    assert live.document.processes[0].consumers[0].task_offset_sums == {"0_1": 70}


def test_without_standbys_and_sums_a_subtopology_is_stateful_where_a_changelog_fits_no_other():
    live = read(thread(_ONE, 1, "0_0 0_1"))

    assert [task.stateful for task in live.document.tasks] == [True, True]
    assert live.document.settings == {"num.standby.replicas": 0}


def test_a_source_topic_whose_subtopology_is_unknown_makes_the_tasks_an_assumption():
    assert "tasks" in read(thread(_ONE, 1, "0_0 0_1", topics=["orders", "unread"])).document.assumed
