"""The settings grid as a table: the darker a cell, the longer it takes."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from evenkeel.assignors.rounds.streams import GridPoint
from evenkeel.dashboard.tables.task_assignors import Cell, GridRow, Place, extra_copies, grid_rows, suggested
from evenkeel.data.words.formats import count, duration, exact, round_number

_LARGEST_LONG = 2**63 - 1
_LEAST, _MOST = 4, 38
"""Per cent of ink in the paper."""


def show(warmups: tuple[int, ...], lags: tuple[int, ...], points: Mapping[Place, GridPoint], now: Place) -> None:
    """Draw the table and what its frames say."""
    rows = grid_rows(warmups, lags, points, now)
    most = max((row.extra or 0 for row in rows), default=0)
    heads = "".join(f"<th>{'∞' if lag == _LARGEST_LONG else round_number(lag)}</th>" for lag in lags)
    body = "".join(_row(row, most) for row in rows)
    st.html(
        f'<div class="settings-grid"><table><thead><tr><th></th>{heads}<th class="extra">extra copies</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>{_legend(points, now)}"
    )


def _row(row: GridRow, most: int) -> str:
    extra = "" if row.extra is None else f'<i style="width:{round(40 * row.extra / most) if most else 0}px"></i>+{exact(row.extra)}'
    return f'<tr><th>{exact(row.warmups)}</th>{"".join(map(_cell, row.cells))}<td class="extra">{extra}</td></tr>'


def _cell(cell: Cell) -> str:
    share = _LEAST + (_MOST - _LEAST) * cell.shade
    return f'<td class="{cell.mark}" style="--share:{share:.0f}%" title="{escape(cell.title)}">{cell.text}</td>'


def _legend(points: Mapping[Place, GridPoint], now: Place) -> str:
    best = suggested(points, now)
    texts = [("now", "set now", now), ("best", f"with {count(best[0], 'warm-up')}" if best else "", best)]
    said = "".join(
        f'<span><i class="frame {kind}"></i>{word}: {_time(points[place])}, {_copies(points[place])}</span>'
        for kind, word, place in texts
        if place in points
    )
    return f'<p class="task-legend grid-legend">{said}</p>'


def _copies(point: GridPoint) -> str:
    extra = extra_copies(point)
    return f"{exact(extra)} extra {'copy' if extra == 1 else 'copies'}"


def _time(point: GridPoint) -> str:
    return (
        ("unknown" if point.is_balanced else "never") if point.seconds is None else duration(point.seconds) if point.seconds else "at once"
    )
