"""Scenarios of the tests, spelled as JSON."""

import json

from evenkeel.data.group.columns import assignment_by_name
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.run.walk import Result
from evenkeel.data.scenarios.scenario.decode import decode_scenario
from evenkeel.data.scenarios.scenario.scenario import Scenario


def member(member_id: str, owned: dict | None = None, generation: int | None = 7, **more) -> dict:
    return {
        "member_id": member_id,
        "subscribed": ["orders"],
        "owned": owned or {},
        "generation": generation if owned else None,
    } | more


PAYMENTS = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "type": "classic",
    "assignor": "sticky",
    "topics": [
        {
            "name": "orders",
            "partitions": [
                {"begin_offset": 0, "end_offset": end, "committed_offset": 40}
                for end in (100, 1000, 100, 300)
            ],
        }
    ],
    "members": [
        member("pay-a", {"orders": [0, 1]}, client_id="pay"),
        member("pay-b", {"orders": [2, 3]}, client_id="pay"),
    ],
}
"""Two members, four partitions of lag 60, 960, 60, 260."""


def scenario(
    *steps: list[dict], group: dict = PAYMENTS, assignors: tuple[str, ...] = ("sticky",), **settings
) -> Scenario:
    """Return a scenario whose steps are lists of edits."""
    text = {
        "format": "evenkeel.scenario/1",
        "group": group,
        "settings": {"assignors": list(assignors), **settings},
        "steps": [{"edits": edits} for edits in steps],
    }
    return decode_scenario(json.dumps(text).encode())


def result(*steps: list[dict], **more) -> Result:
    return result_of(scenario(*steps, **more))


def has(answer) -> dict[str, str]:
    """Return what members have at rest, as `{"pay-a": "orders-0 orders-1"}`."""
    held = assignment_by_name(answer.group, answer.assignment)
    return {
        member: " ".join(
            f"{topic}-{number}" for topic, numbers in topics.items() for number in numbers
        )
        for member, topics in held.items()
    }
