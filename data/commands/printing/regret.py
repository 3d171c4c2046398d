"""A replayed history, in one line for each assignor: how far behind its worst member would have been, and what it would have moved."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.data.commands.printing.alignment import aligned_lines
from evenkeel.data.commands.printing.terminal_text import printable

UNKNOWN = "–"
_COLUMNS = {
    "snapshots": "snapshots",
    "mean_max_lag": "mean max lag",
    "max_max_lag": "largest",
    "moved_partitions": "moved",
    "regret": "regret",
    "better_share": "better at",
}


def regret_rows(group_id: str, table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield an object for each assignor of a REPLAY of one group.

    `regret`: mean worst lag of the current owners less that of the assignor, over snapshots that have both. `better_share`: of these, those
    at which the assignor's is smaller.
    """
    names = table["assignor"].combine_chunks().flatten().to_pylist()
    lag, moves = (
        np.array(table[name].combine_chunks().flatten().to_pylist(), dtype=np.float64) for name in ("max_lag", "moved_partitions")
    )
    slot = np.repeat(np.arange(table.num_rows), [len(row) for row in table["assignor"].to_pylist()])
    current = np.full(table.num_rows, np.nan)
    is_current = np.array(names) == CURRENT
    current[slot[is_current]] = lag[is_current]
    for name in dict.fromkeys(names):
        mine = np.array(names) == name
        difference = current[slot[mine]] - lag[mine]
        known = difference[~np.isnan(difference)]
        yield {
            "group_id": group_id,
            "assignor": name,
            "snapshots": int(np.count_nonzero(~np.isnan(lag[mine]))),
            "mean_max_lag": _mean(lag[mine]),
            "max_max_lag": None if np.isnan(lag[mine]).all() else int(np.nanmax(lag[mine])),
            "moved_partitions": None if np.isnan(moves[mine]).all() else int(np.nansum(moves[mine])),
            "regret": _mean(difference),
            "better_share": float((known > 0).mean()) if known.size else None,
        }


def regret_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return `regret_rows` of some groups as a table, no line without rows."""
    if not rows:
        return []
    cells = [["group", "assignor", *_COLUMNS.values()]]
    cells += [[row["group_id"], row["assignor"], *(_cell(row[column], column) for column in _COLUMNS)] for row in rows]
    return [printable(line) + "\n" for line in aligned_lines(cells, 2)]


def _cell(value: float | None, column: str) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:.1%}" if column == "better_share" else f"{value:,.0f}"


def _mean(values: np.ndarray) -> float | None:
    return None if np.isnan(values).all() else round(float(np.nanmean(values)), 3)
