"""The charts and tables of What-if: lag and moves over all steps, each member's lag, scenarios next
to each other, and the results of many seeds.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape

import streamlit as st

from evenkeel.dashboard.compare.many_members import SeedBins, seed_bins
from evenkeel.dashboard.parts import plot, table
from evenkeel.dashboard.steps.figures import step_lines, step_members
from evenkeel.dashboard.steps.figures.scenario_bars import scenario_bars
from evenkeel.dashboard.steps.figures.scenario_rows import finding as sides_finding
from evenkeel.dashboard.steps.figures.scenario_rows import scenario_rows
from evenkeel.dashboard.steps.figures.step_sides import finding, member_rows
from evenkeel.dashboard.steps.tables import step_columns, step_rows
from evenkeel.dashboard.whatif.tables import Cell, End, end_lines, listed_end, scenario_end
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.seeds import SEEDS, SeedFigures
from evenkeel.data.scenarios.run.step_figures import Figures, balance_before


def show_over_steps(
    figures: Figures,
    step: int,
    candidate: str | None,
    in_use: str | None,
    names: Sequence[str] = (),
    pick: Callable[[int], None] | None = None,
) -> None:
    """Draw the chart of lag and moves over the steps. `names`: names of the steps, the group as
    listed first. `pick` is called with a step's number after a click on its point.
    """
    lines = step_lines.lines_of(figures, in_use, candidate)
    figure = step_lines.step_lines(lines, step, names)
    _show(figure, "step-lines", step_lines.finding(lines, step), pick)


def show_members(
    in_use: StepAnswer | None,
    candidate: StepAnswer | None,
    step: int,
    pick: Callable[[str], None] | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """Draw the chart of each member's lag. Draw nothing if neither assignor has an answer. `pick`
    is called with a member id after a click on the member's bar. `names`: names by member id.
    """
    rows = member_rows(in_use, candidate, names, step)
    if rows:
        _show(step_members.step_members(rows, step), "step-members", finding(rows, step), pick)


def _show(figure, key: str, alt: str, pick: Callable | None) -> None:
    # A pick is handled in the callback, because Streamlit clears a selection when the figure
    # changes, even under the same key.
    plot.show(figure, key, alt, pick and (lambda: _picked(key, pick)))


def _picked(key: str, pick: Callable) -> None:
    for point in st.session_state[key].selection.points:
        chosen = point.get("customdata")
        chosen = chosen[0] if isinstance(chosen, list) else chosen
        if chosen is not None:
            pick(chosen)


# Two to four scenarios: a table with a column for each scenario, and bars of their members on one
# scale.


Scenarios = Sequence[tuple[str, Sequence[StepAnswer]]]
"""Title of a scenario, and one assignor's answers to its steps, the group as listed first."""


def show_scenarios(scenarios: Scenarios, in_use: str | None) -> None:
    """Draw the table and the bar chart of scenarios. Draw nothing if no scenario has an answer."""
    first = next(
        (answers[0] for _, answers in scenarios if answers and answers[0].start is not None), None
    )
    if first is None:
        return
    now = listed_end(first, balance_before(first), in_use)
    st.html(ends_html(now, [scenario_end(title, answers) for title, answers in scenarios]))
    plot.show(scenario_bars(scenario_rows(scenarios)), "scenario-bars", sides_finding(scenarios))


def ends_html(now: End, ends: Sequence[End]) -> str:
    """Return the table as HTML."""
    heads = "".join(
        f"<th colspan=2><b>{escape(end.title)}</b><span>{escape(end.note)}</span></th>"
        for end in (now, *ends)
    )
    rows = "".join(
        f"<tr><th>{line.name}</th>{''.join(map(_cell, line.cells))}</tr>"
        for line in end_lines(now, ends)
    )
    return (
        "<div"
        f' class="ends"><table><thead><tr><th></th>{heads}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    text = f'<b class="best">{escape(cell.text)}</b>' if cell.is_best else escape(cell.text)
    return f'<td>{text}</td><td class="beside">{escape(cell.beside)}</td>'


# Moves and worst lag of a step over many seeds, each as a strip of bins.


def show_seeds(drawn: SeedFigures) -> None:
    """Draw the distributions of moves and lag over the seeds that have been computed so far."""
    st.html(seeds_html(drawn))


def seeds_html(drawn: SeedFigures) -> str:
    """Return the distributions of moves and lag over the seeds, as HTML."""
    strips = (
        ("moves", seed_bins(drawn.moved_partitions, True, SEEDS)),
        ("worst", seed_bins(drawn.max_lag, False, SEEDS)),
    )
    done = max(drawn.moved_partitions.size, drawn.max_lag.size)
    note = f"{SEEDS} seeds" if done >= SEEDS else f"{done} of {SEEDS} seeds"
    rows = "".join(_row(name, bins) for name, bins in strips)
    return (
        f'<div class="seeds"><p><b>New ids decide ties.</b> {note}, median (5–95 %)</p>{rows}</div>'
    )


def _row(name: str, bins: SeedBins | None) -> str:
    if bins is None:
        return f"<div><span>{name}</span><i></i><em>unknown</em></div>"
    most = max(bins.counts)
    bars = "".join(
        f'<i class="{"middle" if place == bins.middle else ""}"'
        f' style="height:{_height(count, most)}%"></i>'
        for place, count in enumerate(bins.counts)
    )
    text = escape(bins.sentence(name), quote=True)
    strip = f'<span class="bins" role="img" aria-label="{text}" title="{text}">{bars}</span>'
    return (
        f"<div><span>{name}</span>{strip}<em><b>{escape(bins.median)}</b>"
        f" {escape(bins.range)}</em></div>"
    )


def _height(count: int, most: int) -> int:
    """Return the height of a bar in percent. A bar for one seed is high enough to see."""
    return max(round(100 * count / most), 12) if count else 0


# A step's table with one row for each assignor. A click, Enter or Space on a row makes its assignor
# the candidate.


def show_table(
    figures: Figures,
    step: int,
    candidate: str | None,
    in_use: str | None,
    pick: Callable[[str], None] | None = None,
    *,
    was: Figures | None = None,
    group_type: str | None = None,
    key: str = "step-table",
) -> None:
    """Draw the table.

    Parameters
    ----------
    pick : callable, optional
        Called with a row's assignor after a click on the row. Without it, rows cannot be clicked.
    was : Figures, optional
        Figures of an earlier time. If a cell had another text then, it shows both texts.
    """
    rows = step_rows(figures, step, in_use, was, group_type)
    data = {
        "columns": [{"over": "", "label": "Assignor"}, *step_columns(figures, was)],
        "rows": [row | {"isCurrent": bool(row["inUse"])} for row in rows],
        "candidate": candidate,
        "picks": pick is not None,
    }
    table.show(
        f"Assignors in step {step}", "steps", data, key=key, picked=pick or (lambda name: None)
    )
