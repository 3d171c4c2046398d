"""A small application and scenarios of it: process 1 runs four stateful tasks, process 2 has state
of two, process 3 has nothing.
"""

import json
from typing import Any

from evenkeel.data.group.document import decode_application
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario

ONE, TWO, THREE = (f"00000000-0000-0000-0000-00000000000{number}" for number in (1, 2, 3))
TASKS = [f"0_{number}" for number in range(4)]

DOCUMENT = {
    "format": "evenkeel.streams/1",
    "application_id": "orders",
    "settings": {
        "acceptable.recovery.lag": 100,
        "max.warmup.replicas": 2,
        "num.standby.replicas": 0,
    },
    "tasks": [{"task_id": task, "stateful": True, "end_offset_sum": 60_000} for task in TASKS],
    "processes": [
        {
            "process_id": ONE,
            "client_id": "orders-1",
            "rack": "a",
            "consumers": [
                {
                    "member_id": "orders-1-consumer",
                    "owned": TASKS,
                    "task_offset_sums": dict.fromkeys(TASKS, -2),
                }
            ],
        },
        {
            "process_id": TWO,
            "consumers": [
                {
                    "member_id": "orders-2-consumer",
                    "task_offset_sums": {"0_1": 60_000, "0_2": 30_000},
                }
            ],
        },
        {"process_id": THREE, "consumers": [{"member_id": "orders-3-consumer"}]},
    ],
    "restore_rates": {ONE: 100.0, TWO: 100.0, THREE: 100.0},
    "end_offset_rates": dict.fromkeys(TASKS, 0.0),
}


def application(**changed: Any):
    """Return the application with other values of keys of the document."""
    return decode_application(json.dumps(DOCUMENT | changed))


def scenario(*steps: list[dict[str, Any]], group: dict[str, Any] = DOCUMENT, **settings: Any):
    """Return the scenario of steps, each a list of edits."""
    document = {
        "format": "evenkeel.scenario/1",
        "group": group,
        "steps": [{"edits": edits} for edits in steps],
        "settings": settings,
    }
    return decode_any_scenario(json.dumps(document).encode())


def lines(
    *steps: list[dict[str, Any]],
    assignor: str = "high-availability",
    group: dict[str, Any] = DOCUMENT,
) -> list[dict[str, Any]]:
    """Return the lines of one assignor, that of the application as listed first."""
    return lines_of(application_result(scenario(*steps, group=group), [assignor]))[1:]
