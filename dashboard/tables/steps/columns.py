"""The columns of a step's table."""

from collections.abc import Callable
from typing import NamedTuple

from evenkeel.dashboard.tables.steps.lines import Line
from evenkeel.dashboard.words.history.drains import HELP, Words, step_drain_words
from evenkeel.data.scenarios.run.step_figures import Figures
from evenkeel.data.words.formats import WHERE_PARTIAL, about, change, compact_sum, exact, most_and_fewest, ratio

_LEAST = f"≥ {WHERE_PARTIAL}"
_PARTITIONS, _LAG, _MEMBERS, _STEP, _ALL = "Partitions", "Worst member's lag", "Members", "This step", "All"


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


def _both(line: Line) -> str:
    return most_and_fewest(line.step.max_partitions, line.step.min_partitions)


def _change(line: Line) -> str:
    step = line.step
    return change(step.lag_before, step.lag, step.lag_before_is_least, step.lag_is_least)


def _pair(line: Line) -> tuple | None:
    return None if line.step.max_partitions is None else (line.step.max_partitions, -line.step.min_partitions)


def _is_least(line: Line) -> bool:
    return line.step.lag_is_least


COLUMNS = (
    Column(_PARTITIONS, "max / min", "Partitions of the member with the most and with the fewest", _both, _pair),
    Column(
        _LAG,
        "before",
        f"Lag of the member that is furthest behind before the step, records; {_LEAST}",
        lambda line: compact_sum(line.step.lag_before, line.step.lag_before_is_least),
        kind="before",
    ),
    Column(
        _LAG,
        "after",
        f"Lag of the member that is furthest behind after the step, records; {_LEAST}",
        lambda line: compact_sum(line.step.lag, line.step.lag_is_least),
        lambda line: line.step.lag,
        _is_least,
    ),
    Column(_LAG, "change", f"Worst lag after the step against before; ≥, ≤ and ≈ {WHERE_PARTIAL}", _change, kind="change"),
    Column(_LAG, "", "", lambda line: "", kind="bars"),
    Column(
        _LAG,
        "max ÷ mean",
        "Largest over mean lag of a member; 1 is even",
        lambda line: about(ratio(line.step.max_lag_share), line.step.lag_is_least),
        lambda line: line.step.max_lag_share,
        _is_least,
    ),
    Column(_MEMBERS, "idle", "Members without partitions", lambda line: exact(line.step.idle_members), kind="idle"),
    Column(
        _STEP,
        "moves",
        "Partitions that go to another member; each rebalance of the step counts",
        lambda line: exact(line.step.moved_partitions),
        lambda line: line.step.moved_partitions,
    ),
    Column(
        _STEP,
        "lag",
        f"Lag of the partitions that move, records; {_LEAST}",
        lambda line: compact_sum(line.step.moved_lag, line.step.moved_lag_is_least),
        lambda line: line.step.moved_lag,
        lambda line: line.step.moved_lag_is_least,
    ),
    Column(
        _STEP,
        "paused",
        "Partitions without an owner for a while; each rebalance of the step counts",
        lambda line: exact(line.step.paused_partitions),
        lambda line: line.step.paused_partitions,
    ),
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
"""After the assignor's name."""

DRAINS = Column(
    "By history",
    "drains in",
    HELP,
    lambda line: step_drain_words(line.step.drain).text,
    kind="drains",
    said=lambda line: step_drain_words(line.step.drain),
)
"""Behind the others where the group has a history."""


def columns_of(figures: Figures, was: Figures | None = None) -> tuple[Column, ...]:
    """Return the columns of a scenario; `was`: its figures of another time."""
    is_timed = any(step.drain is not None for answers in (*figures, *(was or ())) for step in answers.values())
    return (*COLUMNS, DRAINS) if is_timed else COLUMNS


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
