"""The figures of one row of a comparison, as `--json` writes them, and how far they are known."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.explain.quirks import REMAINDER
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.figures.figure import FIGURES, Bounds, Told, Unit, bounds, told, values_of
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag, total_lag
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.columns import assumed_paths
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.commands.printing.remarks import remarks
from evenkeel.data.commands.printing.short_paths import in_short
from evenkeel.data.scenarios.leaders import is_in_use


class Figures(NamedTuple):
    """`row`: as in `--json`, with every figure of `FIGURES`. `bounds`: of figures that are not exact.

    `has_no_lag`: no member is behind, so ratios of lags do not exist.
    """

    row: dict[str, Any]
    bounds: Mapping[str, Bounds]
    has_no_lag: bool

    def within(self, figure: str) -> Bounds | None:
        """Return between what a figure lies, None where nothing of it is known."""
        value = self.row[figure]
        return self.bounds.get(figure, None if value is None else Bounds(value, value))

    def does_not_exist(self, figure: str) -> bool:
        """Tell whether it is known that the row has no such figure."""
        return self.has_no_lag and figure in FIGURES and FIGURES[figure].unit == Unit.RATIO


def told_of(row: Row, facts: Facts | None) -> Told:
    """Return a row as figures see it; how the group gets there is unknown where its owners are."""
    return told(row, (facts or NO_FACTS).switch if row.moves else None)


def figures_of(
    observed: ObservedGroup, row: Row, facts: Facts | None, assignor: type[Assignor] | None, seen: Told | None = None
) -> Figures:
    """Return the figures of a row; those of an assignor that throws are null. `assignor` None for the current assignment.

    `seen`: what figures see in place of the row.
    """
    switch = (facts or NO_FACTS).switch if row.moves else None
    seen = seen or told_of(row, facts)
    never_ends = switch.is_endless if switch and (switch.is_settled or switch.is_endless) else None
    assumed = [] if row.error else assumed_paths(observed, None if row.name == CURRENT else row.assignment)
    quirks = [quirk.name for quirk in facts.quirks if quirk.name != REMAINDER] if facts else []
    said = {
        "never_ends": never_ends,
        "in_use": is_in_use(observed, assignor) if assignor else None,
        "quirks": quirks,
        "remarks": remarks(observed, row, facts, in_short(assumed)),
        "assumed": assumed,
        "error": {"type": row.error.java_class, "message": str(row.error)} if row.error else None,
    }
    has_no_lag = row.balance is not None and row.balance.total_lag == 0 and not row.balance.lag_is_partial
    found = Figures({"assignor": row.name, **values_of(seen), **said}, bounds(seen), has_no_lag)
    return found if row.name != CURRENT or observed.snapshot.member_count else _with_lag(found, observed)


def _with_lag(found: Figures, observed: ObservedGroup) -> Figures:
    """Return the figures of a group without members with its lag: no member adds it up."""
    lag = page_lag(observed.snapshot)
    total, unknown = None if observed.is_named_alone else total_lag(lag), int(np.count_nonzero(lag == UNKNOWN_LAG))
    at_least = {} if total is None or not unknown else {"total_lag": Bounds(total)}
    return found._replace(row=found.row | {"total_lag": total, "unknown_lag_partitions": unknown}, bounds=found.bounds | at_least)
