"""The columns of a step's table."""

from collections.abc import Callable
from typing import NamedTuple

from evenkeel.assignors.figures.figure import FIGURES, Figure
from evenkeel.dashboard.tables.steps.lines import Line
from evenkeel.dashboard.words.drains import HELP, Words, step_drain_words
from evenkeel.data.scenarios.run.step_figures import Figures
from evenkeel.data.words.figures import WORDS, text
from evenkeel.data.words.formats import WHERE_PARTIAL, change, compact_sum, exact, most_and_fewest

_LEAST = f"≥ {WHERE_PARTIAL}"
_LAG, _ALL = "Worst member's lag", "All"


class Column(NamedTuple):
    """`best`: the figure whose lowest value is the best, None where there is none. `is_bound`: the figure is a lower bound.

    `said`: the text with its tip and tone.
    """

    over: str
    label: str
    help: str
    text: Callable[[Line], str]
    best: Callable[[Line], tuple | float | None] | None = None
    is_bound: Callable[[Line], bool] = lambda line: False
    kind: str = ""
    said: Callable[[Line], Words] | None = None


def _change(line: Line) -> str:
    step = line.step
    return change(step.lag_before, step.lag, step.lag_before_is_least, step.lag_is_least)


_BEFORE = {
    "max_lag": (
        Column(
            _LAG,
            "before",
            f"Lag of the member that is furthest behind before the step, records; {_LEAST}",
            lambda line: compact_sum(line.step.lag_before, line.step.lag_before_is_least),
            kind="before",
        ),
    ),
}
_BEHIND = {
    "max_lag": (
        Column(_LAG, "change", f"Worst lag after the step against before; ≥, ≤ and ≈ {WHERE_PARTIAL}", _change, kind="change"),
        Column(_LAG, "", "", lambda line: "", kind="bars"),
    ),
}
"""Columns beside that of a figure, which only repeat it."""

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
    "drains in",
    HELP,
    lambda line: step_drain_words(line.step.drain).text,
    kind="drains",
    said=lambda line: step_drain_words(line.step.drain),
)
"""Behind the others where the group has a history."""


def figure_columns() -> tuple[Column, ...]:
    """Return the columns after the assignor's name: figures in the order of their words, and totals over all steps."""
    shown = [key for key, words in WORDS.items() if words.step]
    found = [(*_BEFORE.get(key, ()), _figure(key), *_BEHIND.get(key, ())) for key in shown]
    return *(column for columns in found for column in columns), *_TOTALS


def _figure(key: str) -> Column:
    figure, words = FIGURES[key], WORDS[key]
    said, rank = (_both, _pair) if key == "max_partitions" else (_text(figure), _rank(figure))
    has_best = figure.better and not words.is_fault
    kind = "idle" if words.is_fault else ""
    return Column(*words.step[:3], said, rank if has_best else None, lambda line: line.step.of(key).is_partial, kind)


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
    return None if line.step.max_partitions is None else (line.step.max_partitions, -line.step.min_partitions)


def columns_of(figures: Figures, was: Figures | None = None) -> tuple[Column, ...]:
    """Return the columns of a scenario; `was`: its figures of another time."""
    is_timed = any(step.drain is not None for answers in (*figures, *(was or ())) for step in answers.values())
    return (*figure_columns(), DRAINS) if is_timed else figure_columns()


def step_columns(figures: Figures, was: Figures | None = None) -> list[dict]:
    """Return the headers as plain values; a narrow table leaves out those that are `wide`."""
    step_count, columns = len(figures) - 1, columns_of(figures, was)
    everything = "All steps" if step_count < 2 else f"All {exact(step_count)} steps"
    wide = ("bars", "change") if DRAINS in columns else ("bars",)
    return [
        {
            "over": everything if one.over == _ALL else one.over,
            "label": one.label,
            "help": one.help,
            "kind": one.kind,
            "wide": one.kind in wide,
        }
        for one in columns
    ]
