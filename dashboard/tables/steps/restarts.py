"""The rows of the table of rolling restarts."""

from collections.abc import Mapping
from math import isnan

from evenkeel.data.scenarios.run.rolling_restart import Cost, Times
from evenkeel.data.words.formats import UNKNOWN, compact, duration, exact

COLUMNS = (
    ("As they are", "rebalances"),
    ("As they are", "moves"),
    ("As they are", "paused"),
    ("As they are", "without owner"),
    ("As they are", "worst lag"),
    ("As they are", "ends as it began"),
    ("All static", "rebalances"),
    ("All static", "without owner"),
)
"""After the assignor's name: group of columns, column."""

PILES_UP = "piles up"


def restart_columns(costs: Mapping[str, tuple[Cost, Cost]]) -> list[tuple[str, str]]:
    """Return the columns; what piles up stands behind the time without owner where the rates of the group are known."""
    if not _has_rates(costs):
        return list(COLUMNS)
    return [shown for column in COLUMNS for shown in ([column, (column[0], PILES_UP)] if column[1] == "without owner" else [column])]


def restart_rows(costs: Mapping[str, tuple[Cost, Cost]], times: Times) -> list[dict]:
    """Return a row for each assignor: its name, and a text for each of `restart_columns`.

    `costs`: of members as they are, and of static ones; nothing is said of static ones that are down for longer than their session lasts.
    """
    lasts = times.downtime_seconds <= times.session_timeout_seconds
    has_rates = _has_rates(costs)
    return [
        {"name": name, "cells": [*_now(now, has_rates), *(_static(static, has_rates) if lasts else [UNKNOWN] * (2 + has_rates))]}
        for name, (now, static) in costs.items()
    ]


def _has_rates(costs: Mapping[str, tuple[Cost, Cost]]) -> bool:
    return any(cost.records is not None for both in costs.values() for cost in both)


def _now(now: Cost, has_rates: bool) -> list[str]:
    return [
        exact(now.rebalances),
        exact(now.moved_partitions),
        exact(now.paused_partitions),
        *_waits(now, has_rates),
        compact(now.max_lag),
        UNKNOWN if now.returns is None else "yes" if now.returns else "no",
    ]


def _static(static: Cost, has_rates: bool) -> list[str]:
    return [exact(static.rebalances), *_waits(static, has_rates)]


def _waits(cost: Cost, has_rates: bool) -> list[str]:
    seconds = UNKNOWN if cost.partition_seconds is None else duration(cost.partition_seconds)
    records = None if cost.records is None or isnan(cost.records) else round(cost.records)
    return [seconds, compact(records)] if has_rates else [seconds]
