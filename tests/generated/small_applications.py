"""The example of a streams document, and copies of it with one thing changed."""

import copy

EXAMPLE_APPLICATION = {
    "format": "evenkeel.streams/1",
    "application_id": "wordcount",
    "taken_at": "2026-11-20T08:00:00Z",
    "type": "classic",
    "assumed": [],
    "settings": {"acceptable.recovery.lag": 100, "num.standby.replicas": 0},
    "tasks": [
        {"task_id": "1_0", "stateful": False, "input_partitions": {"words": [0]}},
        {
            "task_id": "0_1",
            "stateful": True,
            "end_offset_sum": 1200,
            "source_racks": [["a", "b"]],
            "changelog_racks": [["a", None]],
        },
        {"task_id": "0_0", "stateful": True, "end_offset_sum": 500},
    ],
    "processes": [
        {
            "process_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "client_id": "wc-1",
            "host": "/10.4.1.17",
            "rack": "a",
            "client_tags": {"zone": "x"},
            "consumers": [
                {
                    "member_id": "wc-1-a",
                    "owned": ["0_0", "0_1"],
                    "task_offset_sums": {"0_0": -2, "0_1": -2},
                }
            ],
        },
        {
            "process_id": "00000000-0000-0000-0000-000000000001",
            "consumers": [
                {"member_id": "wc-2-a", "owned": ["1_0"], "task_offset_sums": {"0_0": 450}},
                {"member_id": "wc-2-b", "standby": ["0_0"]},
            ],
        },
    ],
    "restore_rates": {"00000000-0000-0000-0000-000000000001": 50_000.0},
    "end_offset_rates": {"0_1": 12.5},
}
"""wc-1 runs both stateful tasks; wc-2 joined later and is caught up on 0_0, within the acceptable
lag.
"""


def changed_application(path: str, value) -> dict:
    """Return the example with another value at a path such as `tasks/0/task_id`."""
    document = copy.deepcopy(EXAMPLE_APPLICATION)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    inside = document
    for step in way:
        inside = inside[step]
    inside[last] = value
    return document
