"""The table of a step, as rows and columns of plain values. A cell has a text. It may also have
bars, a star and a former text.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenkeel.assignors.arrays import all_known
from evenkeel.assignors.compare.figure import FIGURES, Figure
from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard.parts.drain_words import HELP, Words, step_drain_words
from evenkeel.dashboard.shell.answer_words import (
    BEST,
    IN_USE,
    in_words,
    is_gap,
    name_note,
    protocol_of,
    rest,
)
from evenkeel.data.compare.figure_words import WORDS, text
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.text.formats import WHERE_PARTIAL, change, compact_sum, exact, most_and_fewest
from evenkeel.data.text.names import WORST_MEMBER

_DERIVED = ("change", "bars")
"""Kinds of columns that only repeat other columns."""


def step_rows(
    figures: Figures,
    step: int,
    in_use: str | None = None,
    was: Figures | None = None,
    group_type: str | None = None,
) -> list[dict]:
    """Return a row for each assignor, the assignor in use first. An assignor that has failed has an
    error and no cells.

    `was`: the figures of an earlier time. If a cell's text has changed since then, the cell has the
    former text under `was`. All values are plain, so they can be written as JSON.
    """
    lines = lines_of(figures, step, in_use)
    former = {line.step.name: line for line in lines_of(was, step, in_use)} if was else {}
    highest = max(
        (lag for line in lines for lag in (line.step.lag_before, line.step.lag) if lag is not None),
        default=0,
    )
    columns = columns_of(figures, was)
    rows = [_named(line, _error(figures, step, line), in_use, group_type) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        row |= {"isGap": True} if is_gap(line.step.error) else {}
        row["cells"] = (
            []
            if row["error"]
            else [_cell(column, line, former.get(row["name"]), highest) for column in columns]
        )
    for place, column in enumerate(columns):
        _star([row["cells"][place] if row["cells"] else {} for row in rows], lines, column)
    return rows


def differing(figures: Figures, was: Figures) -> tuple[int, int]:
    """Return two numbers: how many figures in the tables of a scenario differ from `was`, and how
    many figures the tables have.
    """
    rows = [row for step in range(len(figures)) for row in step_rows(figures, step, was=was)]
    cells = [
        cell
        for row in rows
        for cell, column in zip(row["cells"], columns_of(figures, was), strict=False)
        if column.kind not in _DERIVED
    ]
    return sum("was" in cell for cell in cells), len(cells)


class Totals(NamedTuple):
    """The moves and pauses of all steps together, and the highest lag of a member after any step.
    Step 0 is left out. A figure is None if it is unknown.
    """

    moved_partitions: int | None
    paused_partitions: int | None
    lag: int | None
    lag_is_least: bool


class Line(NamedTuple):
    """The figures of one assignor: at this step, and over all steps."""

    step: StepFigures
    totals: Totals


def _named(line: Line, error: str | None, in_use: str | None, group_type: str | None) -> dict:
    words, ends = name_note(line.step.name, line.step.name == in_use), rest(line.step)
    return {
        "name": line.step.name,
        "title": protocol_of(line.step.name, group_type),
        "note": words.text,
        "why": words.title,
        "warning": ends.text,
        "warningTitle": ends.title,
        "inUse": IN_USE if line.step.name == in_use else "",
        "error": error,
    }


def _error(figures: Figures, step: int, line: Line) -> str | None:
    """Return the error of an assignor at this step, or None. If the assignor failed at an earlier
    step, the error names the earlier step.
    """
    if line.step.error is None:
        return None
    first = next(
        place
        for place in (*range(1, step), step)
        if figures[place][line.step.name].error is not None
    )
    return in_words(line.step.error) + (f" (since step {first})" if first < step else "")


class Column(NamedTuple):
    """A column of the table.

    `best`: returns a row's figure; the row with the lowest figure gets a star. None if the column
    has no star. `is_bound`: returns whether the figure is only a lower bound. `words_of`: returns
    the text with its tooltip and tone.
    """

    over: str
    label: str
    help: str
    text: Callable[[Line], str]
    best: Callable[[Line], tuple | float | None] | None = None
    is_bound: Callable[[Line], bool] = lambda line: False
    kind: str = ""
    words_of: Callable[[Line], Words] | None = None


def _cell(column: Column, line: Line, former: Line | None, highest: int) -> dict:
    text = column.text(line)
    cell: dict = {"text": text, "className": _class(column, line)}
    if column.words_of:
        cell["title"] = column.words_of(line).tip
    if column.kind == "bars":
        cell["bars"] = [
            lag / highest if highest and lag is not None else None
            for lag in (line.step.lag_before, line.step.lag)
        ]
    if (
        former
        and not former.step.error
        and column.kind not in _DERIVED
        and column.text(former) != text
    ):
        cell["was"] = f"was {column.text(former)}"
    return cell


def _class(column: Column, line: Line) -> str:
    match column.kind:
        case "idle":
            return "worse" if line.step.idle_members else "quiet"
        case "drains" if column.words_of:
            return column.words_of(line).tone
        case kind:
            return "quiet" if kind else ""


def _star(cells: Sequence[dict], lines: Sequence[Line], column: Column) -> None:
    """Mark the lowest value of a column with a star. No star if several rows have this value, or if
    a value is a lower bound. Assignors whose rebalances never end get no star.
    """
    best = column.best
    if best is None or any(column.is_bound(line) for line in lines):
        return
    values = [None if line.step.never_ends else best(line) for line in lines]
    known = [value for value in values if value is not None]
    if len(known) > 1 and known.count(min(known)) == 1:
        for cell, value in zip(cells, values, strict=True):
            if value == min(known):
                cell |= {"className": "best", "title": BEST}


# The columns of a step's table.


_LEAST = f"≥ {WHERE_PARTIAL}"
_ALL = "All"


def _change(line: Line) -> str:
    step = line.step
    return change(step.lag_before, step.lag, step.lag_before_is_least, step.lag_is_least)


_BEFORE = {
    "max_lag": (
        Column(
            WORST_MEMBER,
            "before",
            f"Before the step: lag of the worst member, records; {_LEAST}",
            lambda line: compact_sum(line.step.lag_before, line.step.lag_before_is_least),
            kind="before",
        ),
    ),
}
_BEHIND = {
    "max_lag": (
        Column(
            WORST_MEMBER,
            "change",
            f"Worst lag after the step, compared with before; ≥, ≤ and ≈ {WHERE_PARTIAL}",
            _change,
            kind="change",
        ),
        Column(WORST_MEMBER, "", "", lambda line: "", kind="bars"),
    ),
}
"""Columns next to a figure's column that only repeat the figure."""

_TOTALS = (
    Column(
        _ALL,
        "moves",
        "Moves of all steps together",
        lambda line: exact(line.totals.moved_partitions),
        lambda line: line.totals.moved_partitions,
    ),
    Column(
        _ALL,
        "paused",
        "Pauses of all steps together",
        lambda line: exact(line.totals.paused_partitions),
        lambda line: line.totals.paused_partitions,
    ),
    Column(
        _ALL,
        "worst ever",
        f"Highest lag of a member after any step, records; {_LEAST}",
        lambda line: compact_sum(line.totals.lag, line.totals.lag_is_least),
        lambda line: line.totals.lag,
        lambda line: line.totals.lag_is_least,
    ),
)

DRAINS = Column(
    "By history",
    "drained in",
    HELP,
    lambda line: step_drain_words(line.step.drain).text,
    kind="drains",
    words_of=lambda line: step_drain_words(line.step.drain),
)
"""Last columns, if the group has a history."""


def figure_columns() -> tuple[Column, ...]:
    """Return the columns of figures, which are to the right of the assignor's name."""
    columns = [
        (*_BEFORE.get(key, ()), _figure(key, words.step), *_BEHIND.get(key, ()))
        for key, words in WORDS.items()
        if words.step
    ]
    return tuple(column for some in columns for column in some)


def _figure(key: str, header: tuple[str, str, str, str]) -> Column:
    figure, words, (over, label, help, _) = FIGURES[key], WORDS[key], header
    text_of, rank = (_both, _pair) if key == "max_partitions" else (_text(figure), _rank(figure))
    has_best = figure.better and not words.is_fault
    return Column(
        over,
        label,
        help,
        text_of,
        rank if has_best else None,
        lambda line: line.step.of(key).is_partial,
        "idle" if words.is_fault else "",
    )


def _text(figure: Figure) -> Callable[[Line], str]:
    return lambda line: text(figure, *line.step.of(figure.key))


def _rank(figure: Figure) -> Callable[[Line], float | None]:
    def rank(line: Line) -> float | None:
        value = line.step.of(figure.key).value
        return None if value is None else -figure.better * value

    return rank


def _both(line: Line) -> str:
    return most_and_fewest(line.step.max_partitions, line.step.min_partitions)


def _pair(line: Line) -> tuple | None:
    most, fewest = line.step.max_partitions, line.step.min_partitions
    return None if most is None or fewest is None else (most, -fewest)


def columns_of(figures: Figures, was: Figures | None = None) -> tuple[Column, ...]:
    """Return the columns of a scenario. `was`: the scenario's figures at an earlier time."""
    # With only one step, totals would repeat its figures.
    totals = _TOTALS if len(figures) > 2 else ()
    is_timed = any(
        step.drain is not None for answers in (*figures, *(was or ())) for step in answers.values()
    )
    return (*figure_columns(), *totals, *((DRAINS,) if is_timed else ()))


def step_columns(figures: Figures, was: Figures | None = None) -> list[dict]:
    """Return the headers of the columns as plain values. A narrow table leaves out the columns
    whose `wide` is True.
    """
    everything = f"All {exact(len(figures) - 1)} steps"
    return [
        {
            "over": everything if column.over == _ALL else column.over,
            "label": column.label,
            "help": column.help,
            "kind": column.kind,
            "wide": column.kind == "bars",
        }
        for column in columns_of(figures, was)
    ]


# The inputs of a step's table: the step's figures and the totals over all steps.


def lines_of(figures: Figures, step: int, in_use: str | None) -> list[Line]:
    """Return a line for each assignor. If an assignor has no answer, its line has only its name."""
    answers = figures[step] if step < len(figures) else {}
    return [
        Line(answers.get(name, StepFigures(name)), totals_of(figures, name))
        for name in in_order(figures, in_use)
    ]


def in_order(figures: Figures, in_use: str | None) -> list[str]:
    """Return the assignors' names, current owners first, then the assignor in use."""
    return sorted(figures[0] if figures else (), key=lambda name: (name != CURRENT, name != in_use))


def totals_of(figures: Figures, name: str) -> Totals:
    """Return an assignor's totals."""
    steps = [answers.get(name, StepFigures(name)) for answers in figures[1:]]
    lags = all_known(step.lag for step in steps)
    return Totals(
        _sum([step.moved_partitions for step in steps]),
        _sum([step.paused_partitions for step in steps]),
        max(lags or (), default=None),
        any(step.lag_is_least for step in steps),
    )


def _sum(values: list[int | None]) -> int | None:
    known = all_known(values)
    return sum(known) if known else None
