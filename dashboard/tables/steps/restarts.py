"""The rows of the table of rolling restarts."""

from collections.abc import Mapping

from dashboard.words.formats import UNKNOWN, compact, duration, exact
from data.scenarios.run.rolling_restart import Cost, Times

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


def restart_rows(costs: Mapping[str, tuple[Cost, Cost]], times: Times) -> list[dict]:
    """Return a row for each assignor: its name, and a text for each column.

    `costs`: of members as they are, and of static ones; nothing is said of static ones that are down for longer than their session lasts.
    """
    lasts = times.downtime_seconds <= times.session_timeout_seconds
    return [{"name": name, "cells": [*_now(now), *(_static(static) if lasts else [UNKNOWN] * 2)]} for name, (now, static) in costs.items()]


def _now(now: Cost) -> list[str]:
    return [
        exact(now.rebalances),
        exact(now.moved_partitions),
        exact(now.paused_partitions),
        _seconds(now.partition_seconds),
        compact(now.max_lag),
        UNKNOWN if now.returns is None else "yes" if now.returns else "no",
    ]


def _static(static: Cost) -> list[str]:
    return [exact(static.rebalances), _seconds(static.partition_seconds)]


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else duration(seconds)
