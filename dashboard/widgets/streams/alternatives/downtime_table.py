"""The assignors side by side: which tasks each one would stop now, for how long, and when it is balanced."""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from evenkeel.dashboard.tables.task_assignors import Downtime
from evenkeel.data.words.formats import UNKNOWN, compact, count, duration, exact

_LEGACY = "legacy-sticky"
_HEADS = ("moved now", "stopped", "longest", "to restore", "balanced")


def show(rows: Sequence[Downtime], chosen: str) -> None:
    """Draw the finding and a row for each assignor that has an answer."""
    legacy = next((row for row in rows if row.name == _LEGACY), None)
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    body = "".join(_row(row, chosen) for row in rows)
    st.html(
        f'<p class="task-legend"><b>Before KIP-441:</b> {_finding(legacy)}</p>'
        f'<div class="restarts downtimes"><table><thead><tr><th>Assignor</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _finding(row: Downtime | None) -> str:
    if row is None:
        return "the answer is unknown"
    if row.stopped is None:
        return "whether a task would stop now is unknown, because the end offsets of changelogs are unknown"
    if not row.stopped:
        return "no task would stop now either"
    time = f" for up to {duration(row.seconds)}" if row.seconds is not None else ""
    return f'<b class="worse">{count(row.stopped, "task")} would stop{time} to restore {compact(row.records)} records</b>'


def _row(row: Downtime, chosen: str) -> str:
    is_bad = bool(row.seconds and row.seconds >= 1) or (row.seconds is None and row.stopped)
    tone = ' class="worse"' if is_bad else ""
    longest = UNKNOWN if row.seconds is None else "< 1 s" if 0 < row.seconds < 1 else duration(row.seconds)
    in_use = ' <span class="note">shown</span>' if row.name == chosen else ""
    cells = (
        f"<td>{exact(row.moved)}</td><td{tone}>{_known(row.stopped, exact)}</td><td{tone}>{longest}</td>"
        f"<td{tone}>{_known(row.records, compact)}</td><td>{_balanced(row)}</td>"
    )
    return f"<tr><th>{escape(row.name)}{in_use}</th>{cells}</tr>"


def _known(number: int | None, form: Callable[[int], str]) -> str:
    return UNKNOWN if number is None else form(number)


def _balanced(row: Downtime) -> str:
    if not row.is_whole:
        return "…"
    if row.is_endless:
        return '<b class="worse">never</b>'
    if not row.is_balanced:
        return "later"
    if row.to_balance is None or row.stopped is None:
        return UNKNOWN
    if row.to_balance or row.seconds is None:
        return f"in {duration(row.to_balance)}" if row.to_balance else "at once"
    return f"in {duration(row.seconds)}" if row.seconds >= 1 else "at once"
