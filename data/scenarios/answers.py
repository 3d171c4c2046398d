"""One group with the answers of Evenkeel's own assignors."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors import ASSIGNORS
from assignors.explain.facts import Facts, facts_of
from assignors.figures.comparison import Comparison, Row, compare
from assignors.kafka.release import NEWEST, of_release
from assignors.protocol import serving
from data.columns.observed import ObservedGroup


class Answers(NamedTuple):
    """A group, what each assignor would do with it, and the facts about each answer, by name."""

    observed: ObservedGroup
    comparison: Comparison
    facts: dict[str, Facts]


def answers(observed: ObservedGroup, release: str) -> Answers:
    """Return the answers as a release of Kafka gives them."""
    comparison = comparison_of(observed, release)
    return Answers(observed, comparison, facts_by_row(observed, comparison.rows, release))


def comparison_of(observed: ObservedGroup, release: str = NEWEST) -> Comparison:
    """Return what each assignor that can serve the group would do."""
    return compare(
        observed.snapshot, observed.current, [of_release(ASSIGNORS[name], release) for name in serving(observed.group_type, ASSIGNORS)]
    )


def facts_by_row(observed: ObservedGroup, rows: Sequence[Row], release: str = NEWEST) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by name."""
    group, is_order_known = observed.snapshot, "members" not in observed.assumed
    own = [row for row in rows if row.name in ASSIGNORS]
    return {row.name: facts_of(group, observed.current, of_release(ASSIGNORS[row.name], release), row, is_order_known) for row in own}
