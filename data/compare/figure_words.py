"""Texts of figures: titles and tooltips of columns, and values as text."""

from typing import NamedTuple

from evenkeel.assignors.compare.figure import Figure, Unit
from evenkeel.data.text.formats import WHERE_PARTIAL, about, compact_sum, exact, ratio
from evenkeel.data.text.names import WORST_MEMBER

_LEAST = f"≥ {WHERE_PARTIAL}"
_MOVED, _STEP = "Moved from current", "This step"


class Header(NamedTuple):
    """A column of a table on a page.

    `over`: title above this column and its neighbours. `help`: tooltip. `key`: name of the column
    in the page's address.
    """

    over: str
    label: str
    help: str
    key: str = ""


class FigureWords(NamedTuple):
    """The titles of a figure in each table.

    None: the table does not show the figure, or another figure's column contains the figure.

    `command`: column of `evenkeel compare`. `compare`: column of the page Assignors. `step`: column
    of the table of a step, in What-if, shares and reports. `end`: row of the table that compares
    scenarios. `is_fault`: a value other than 0 is marked as worse; no value is marked as best.
    `is_rare`: the command omits the column if every value is 0 or unknown.
    """

    command: str | None = None
    compare: Header | None = None
    step: Header | None = None
    end: str | None = None
    is_fault: bool = False
    is_rare: bool = False


WORDS = {
    "max_partitions": FigureWords(
        "max partitions",
        Header(
            "Partitions",
            "max / min",
            "Most and fewest partitions of a member",
            "partitions",
        ),
        Header("Partitions", "max / min", "Most and fewest partitions of a member"),
        "Partitions, max / min",
    ),
    "min_partitions": FigureWords("min"),
    "max_lag": FigureWords(
        "max lag",
        Header(
            WORST_MEMBER,
            "lag",
            "Largest lag of a member, in records. All partitions without owner count as one"
            f" member. {_LEAST}",
            "worst",
        ),
        Header(
            WORST_MEMBER,
            "after",
            "Largest lag of a member after the step, in records. All partitions without owner count"
            f" as one member. {_LEAST}",
        ),
        f"{WORST_MEMBER}, lag",
    ),
    "mean_lag": FigureWords("mean"),
    "total_lag": FigureWords("total"),
    "unread_lag": FigureWords("no owner", is_rare=True),
    "max_lag_share": FigureWords(
        "max ÷ mean",
        step=Header(
            WORST_MEMBER, "max ÷ mean", "Largest lag of a member ÷ mean lag of a member; 1 is even"
        ),
    ),
    "lag_cv": FigureWords("CV", end="Spread of lag, CV"),
    "idle_members": FigureWords(
        "idle",
        Header("Members", "idle", "Members without partitions", "idle"),
        Header("Members", "idle", "Members without partitions"),
        "Idle members",
        is_fault=True,
    ),
    "moved_partitions": FigureWords(
        "moved",
        Header(_MOVED, "partitions", "Partitions whose owner changes", "moved"),
        Header(
            _STEP,
            "moves",
            "Partitions whose owner changes, summed over all rebalances of the step",
        ),
        "Moved partitions",
    ),
    "moved_lag": FigureWords(
        "lag moved",
        Header(_MOVED, "lag", "Lag of these partitions, in records", "moved-lag"),
        Header(_STEP, "lag", f"Lag of these partitions, in records. {_LEAST}"),
        "Moved lag",
    ),
    "paused_partitions": FigureWords(
        "paused",
        Header(
            "Switch",
            "paused / rounds",
            "Partitions without an owner during a part of the switch, and rounds of the switch",
            "paused",
        ),
        Header(
            _STEP,
            "paused",
            "Partitions without an owner for a while, summed over all rebalances of the step",
        ),
    ),
    "rounds": FigureWords("rounds"),
}
"""By figure, in the order of columns on pages. Other figures are only in JSON and --fail-if."""


def text(figure: Figure, value: float | None, is_partial: bool = False) -> str:
    """Return a value as pages show it, `–` if unknown.

    `is_partial`: the value is computed from some lags only, because other lags are unknown.
    """
    if figure.unit == Unit.RATIO:
        return about(ratio(value), is_partial)
    return compact_sum(value, is_partial) if figure.unit == Unit.RECORDS else exact(value)


def decimals(figure: Figure) -> int:
    """Return the number of decimals on the command line."""
    return 2 if figure.unit == Unit.RATIO else 0
