"""GROUP_VERDICT for people and as JSON, worst first."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.commands.printing.alignment import aligned_lines
from evenkeel.data.commands.printing.terminal_text import printable
from evenkeel.data.words.formats import duration

UNKNOWN = "–"


def group_rows(groups: pa.Table, now: float) -> list[dict[str, Any]]:
    """Return an object for each group, with the age of its snapshot, the worst verdict first, then the largest lag."""
    rows = [row | {"age_seconds": _age(row, now)} for row in groups.drop_columns("lags").to_pylist()]
    return sorted(rows, key=lambda row: (-VERDICTS.index(row["lasting_verdict"]), -(row["lag"] or 0), row["group_id"]))


def _age(row: dict[str, Any], now: float) -> float:
    return round(max(now - row["taken_at"].timestamp(), 0.0), 1)


def verdict_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line for each of `group_rows`."""
    cells = [["group", "verdict", "since", "lag", "time lag", "method", "drains in"]]
    cells += [
        [
            row["group_id"],
            row["lasting_verdict"],
            f"{row['verdict_since']:%Y-%m-%dT%H:%M:%SZ}{' or longer' * row['verdict_is_older']}",
            UNKNOWN if row["lag"] is None else f"{row['lag']:,}",
            _seconds(row["lag_seconds"]),
            row["lag_seconds_method"] or UNKNOWN,
            _drain(row),
        ]
        for row in rows
    ]
    if len(cells) == 1:
        return ["The last snapshot has no group.\n"]
    return [printable(line) + "\n" for line in aligned_lines(cells, 3)]


def _drain(row: dict[str, Any]) -> str:
    low, high = row["drain_low_seconds"], row["drain_high_seconds"]
    if row["drain_is_never"]:
        return "never"
    if row["drain_seconds"] is None:
        return UNKNOWN if low is None else f"≥ {duration(low)}"
    if low is None:
        return f"≈ {duration(row['drain_seconds'])}"
    return f"{duration(low)} to {'never' if high is None else duration(high)}" if high != 0 else duration(0)


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else duration(seconds)
