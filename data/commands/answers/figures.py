"""The figures of one row of a comparison, as `--json` writes them, how far they are known, and the remarks on it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.explain.quirks import REMAINDER, Quirk
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.figures.figure import FIGURES, Bounds, Told, Unit, bounds, told, values_of
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag, total_lag
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.columns import assumed_paths
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.commands.text import in_short
from evenkeel.data.scenarios.leaders import is_in_use
from evenkeel.data.words.quirks import sentence, why_endless


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


# Remarks on the rows of a comparison: rounds that never end, Kafka's surprises, one valid outcome of several.


def remarks(observed: ObservedGroup, row: Row, facts: Facts | None, unknown: Sequence[str]) -> list[str]:
    """Return the remarks on a row, a sentence each; `unknown`: unknown inputs that its answer depends on."""
    found = facts or NO_FACTS
    said = [f"never ends: {why_endless(found.switch.is_refused)}"] if found.switch and found.switch.is_endless else []
    said += [f"fails in a later round, {found.later_error.java_class}: {found.later_error}"] if found.later_error else []
    said += [_surprise(observed, quirk, row) for quirk in found.quirks]
    if row.name != CURRENT and row.assignment and (unknown := [*unknown, *found.unknown]):
        said.append(f"one valid outcome of several; unknown: {', '.join(unknown)}")
    return said + _protocol(row.name)


def _surprise(observed: ObservedGroup, quirk: Quirk, row: Row) -> str:
    group = observed.snapshot
    members = [group.member_id[member] for member in np.unique(quirk.member)]
    topics = [group.topic_name[topic] for topic in np.unique(quirk.topic)]
    return sentence(row.name, quirk.name, members, topics, row.error).removesuffix(".")


def _protocol(name: str) -> list[str]:
    if name not in ASSIGNORS:
        return []
    assignor = ASSIGNORS[name]
    label = f" ({assignor.label})" if assignor.label else ""
    if not assignor.is_in_kafka:
        return [f"not in Kafka: a jar {'on every broker' if assignor.group_type == 'consumer' else 'of your own'}{label}"]
    return [f"the broker assigns{label}: needs group.protocol=consumer"] if assignor.group_type == "consumer" else []
