"""Shares that no page has made."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from data.scenarios.run.lines import lines_of
from data.scenarios.run.result import Result
from data.shares import Frozen, shares


def share(result: Result, change: Callable[[list[dict]], None] = lambda lines: None, owner: str | None = None, **said: Any) -> str:
    """Freeze a result into the store of the configuration, after a change of its lines, and return its id."""
    lines = lines_of(result)
    change(lines)
    facts = {"title": "one fewer", "keep": timedelta(days=30)} | said
    return shares().make(Frozen(msgspec.to_builtins(result.scenario), lines, **facts), owner).share_id
