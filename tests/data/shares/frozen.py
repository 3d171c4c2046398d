"""What authors hand over: the group document of the contract, one step, two lines of its result."""

from datetime import timedelta
from typing import Any

from evenkeel.data.shares.share import Frozen
from tests.generated.small_documents import EXAMPLE

SCENARIO = {
    "format": "evenkeel.scenario/1",
    "name": "one more",
    "group": EXAMPLE,
    "settings": {"kafka_version": "4.3.1", "assignors": ["sticky"]},
    "steps": [
        {
            "name": "one more",
            "edits": [{"op": "add_members", "like": "pay-a-0f3c", "count": 1, "seed": 7}],
        }
    ],
}
_HEAD = {
    "format": "evenkeel.replay/1",
    "content_hash": "c0",
    "result_hash": "f0",
    "engine": "0.1.0",
}
_LINES = [
    {
        "step": 0,
        "name": None,
        "assignor": "sticky",
        "assignment": {"pay-a-0f3c": {"orders": [0, 1]}},
        "max_lag": 2**63 - 1,
        "error": None,
    },
    {
        "step": 1,
        "name": "one more",
        "assignor": "sticky",
        "assignment": {"pay-a-0f3c": {"orders": [0]}, "pay-a-9d": {"orders": [1]}},
    },
]
RESULT = [_HEAD, *_LINES]


def frozen(**changes: Any) -> Frozen:
    """Return what an author hands over, with changes."""
    return Frozen(
        **{"scenario": SCENARIO, "result": RESULT, "title": "one more?", "keep": timedelta(days=30)}
        | changes
    )
