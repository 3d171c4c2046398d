"""The words of a figure: titles and help in tables, and its value as text."""

from typing import NamedTuple

from evenkeel.assignors.compare.figure import Figure, Unit
from evenkeel.data.text.formats import WHERE_PARTIAL, about, compact_sum, exact, ratio
from evenkeel.data.text.names import WORST_MEMBER

_LEAST = f"≥ {WHERE_PARTIAL}"
_MOVED, _STEP = "Moved from current", "This step"


class Header(NamedTuple):
    """A column of a page: the title above several columns, its own title, and its tooltip; `key`:
    its name in addresses.
    """

    over: str
    label: str
    help: str
    key: str = ""


class FigureWords(NamedTuple):
    """Where a figure is shown; None if it is not shown, or shares another figure's column.

    `command`: header in `evenkeel compare`. `compare`: column of the page Assignors. `step`: column
    of a step's table, in What-if, shares and reports. `end`: row name if scenarios are side by
    side. `is_fault`: every value but 0 is marked as worse, no value as best. `is_rare`: the command
    leaves the column out if it is 0 or unknown in every row.
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
            "Partitions of the member with the most and with the fewest",
            "partitions",
        ),
        Header(
            "Partitions", "max / min", "Partitions of the member with the most and with the fewest"
        ),
        "Partitions, max / min",
    ),
    "min_partitions": FigureWords("min"),
    "max_lag": FigureWords(
        "max lag",
        Header(
            WORST_MEMBER,
            "lag",
            "Lag of the member that is furthest behind, or of all partitions without owner if that"
            f" is more, records; {_LEAST}",
            "worst",
        ),
        Header(
            WORST_MEMBER,
            "after",
            "Lag of the member that is furthest behind after the step, or of all partitions"
            f" without owner if that is more, records; {_LEAST}",
        ),
        f"{WORST_MEMBER}, lag",
    ),
    "mean_lag": FigureWords("mean"),
    "total_lag": FigureWords("total"),
    "unread_lag": FigureWords("no owner", is_rare=True),
    "max_lag_share": FigureWords(
        "max ÷ mean",
        step=Header(WORST_MEMBER, "max ÷ mean", "Largest over mean lag of a member; 1 is even"),
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
        Header(_MOVED, "partitions", "Partitions that go to another member than now", "moved"),
        Header(
            _STEP,
            "moves",
            "Partitions that go to another member; each rebalance of the step counts",
        ),
        "Moved partitions",
    ),
    "moved_lag": FigureWords(
        "lag moved",
        Header(_MOVED, "lag", "Lag of the partitions that move, records", "moved-lag"),
        Header(_STEP, "lag", f"Lag of the partitions that move, records; {_LEAST}"),
        "Moved lag",
    ),
    "paused_partitions": FigureWords(
        "paused",
        Header(
            "Switch",
            "paused / rounds",
            "Partitions without an owner for a part of the switch, and the number of rounds",
            "paused",
        ),
        Header(
            _STEP,
            "paused",
            "Partitions without an owner for a while; each rebalance of the step counts",
        ),
    ),
    "rounds": FigureWords("rounds"),
}
"""By key, in the order of the pages; a figure without words is in JSON and conditions alone."""


def text(figure: Figure, value: float | None, is_partial: bool = False) -> str:
    """Return a value as pages write it, `–` if unknown; `is_partial`: some of its lags are
    unknown.
    """
    if figure.unit == Unit.RATIO:
        return about(ratio(value), is_partial)
    return compact_sum(value, is_partial) if figure.unit == Unit.RECORDS else exact(value)


def decimals(figure: Figure) -> int:
    """Return how many decimals the command line writes."""
    return 2 if figure.unit == Unit.RATIO else 0
