"""Two to four scenarios side by side: a table with a column for each, and bars of their members on one scale."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from evenkeel.dashboard.charts.scenario_bars import finding, scenario_bars, scenario_rows
from evenkeel.dashboard.tables.scenarios import Cell, End, end_lines, listed_end, scenario_end
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import balance_before

_ARROWS = {"better": "▼ ", "worse": "▲ "}

Scenarios = Sequence[tuple[str, Sequence[StepAnswer]]]
"""Title, and the answers of one assignor to each step, the group as listed first."""


def show(scenarios: Scenarios, in_use: str | None, gain: float) -> None:
    """Draw table and bars; nothing if no scenario has an answer. `gain`: as of `end_lines`."""
    first = next((answers[0] for _, answers in scenarios if answers and answers[0].start is not None), None)
    if first is None:
        return
    now = listed_end(first, balance_before(first), in_use)
    st.html(ends_html(now, [scenario_end(title, answers) for title, answers in scenarios], gain))
    plot.show(scenario_bars(scenario_rows(scenarios)), "scenario-bars", finding(scenarios))


def ends_html(now: End, ends: Sequence[End], gain: float) -> str:
    """Return the table as HTML."""
    heads = "".join(f"<th colspan=2><b>{escape(end.title)}</b><span>{escape(end.note)}</span></th>" for end in (now, *ends))
    rows = "".join(f"<tr><th>{line.name}</th>{''.join(map(_cell, line.cells))}</tr>" for line in end_lines(now, ends, gain))
    return f'<div class="ends"><table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(cell: Cell) -> str:
    text = f'<b class="best">{escape(cell.text)}</b>' if cell.is_best else escape(cell.text)
    return f'<td>{text}</td><td class="beside {cell.tone}">{_ARROWS.get(cell.tone, "")}{escape(cell.beside)}</td>'
