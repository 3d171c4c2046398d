"""Scenarios of the tests of strips, tables and figures: KAFKA-5337's group, whose lags are 100,000,
60,000 and 50,000.
"""

import json
from functools import cache

from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.run.step_figures import StepFigures
from evenkeel.data.scenarios.run.walk import Result
from evenkeel.data.scenarios.scenario.decode import decode_scenario
from evenkeel.data.sources.examples.worked_examples import SAMPLES

JOINS = {"op": "add_members", "like": "C1", "count": 1}
STOPS = {"op": "remove_members", "member_ids": ["C1"]}
RESTARTS = {"op": "restart_members", "member_ids": ["C1"]}


def stepped(
    *edits: dict, assignors: tuple[str, ...] = ("range", "lag"), sample: str = "lag-aware"
) -> Result:
    """Return a scenario's result: one edit a step."""
    return _result(
        json.dumps([{"name": edit["op"], "edits": [edit]} for edit in edits]), assignors, sample
    )


@cache
def _result(steps: str, assignors: tuple[str, ...], sample: str) -> Result:
    group = json.loads((SAMPLES / f"{sample}.json").read_text())
    scenario = {
        "format": "evenkeel.scenario/1",
        "group": group,
        "settings": {"assignors": assignors},
        "steps": json.loads(steps),
    }
    return result_of(decode_scenario(json.dumps(scenario).encode()))


def step(name: str, **figures) -> StepFigures:
    """Return a step that went from 200 to 100 records at the worst member, with 2 moves; `figures`
    replace these.
    """
    known = {
        "members_before": 2,
        "members": 3,
        "partitions": 6,
        "max_partitions": 2,
        "min_partitions": 2,
        "idle_members": 0,
    }
    lags = {"lag_before": 200, "lag": 100, "max_lag_share": 1.5}
    moves = {
        "moved_partitions": 2,
        "moved_lag": 50,
        "paused_partitions": 6,
        "rebalances": 1,
        "never_ends": False,
    }
    return StepFigures(name, **(known | lags | moves | figures))


def scenario(*steps: dict[str, dict]) -> list[dict[str, StepFigures]]:
    """Return the figures of a scenario: for each step, the group as listed first, what differs from
    `step` by assignor.
    """
    return [{name: step(name, **figures) for name, figures in answers.items()} for answers in steps]
