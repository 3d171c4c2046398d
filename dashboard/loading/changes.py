"""The difference of two assignments of one group: of two assignors, two releases, two moments."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.figures.comparison import Comparison, Row, answered
from evenkeel.assignors.figures.load import lag_at
from evenkeel.assignors.figures.moves import moves_between, owner_pairs
from evenkeel.dashboard.loading.batches.stored_groups import require_stored
from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.views import begun, view
from evenkeel.dashboard.view import Change, Opened
from evenkeel.data.scenarios.answers import own_assignors
from evenkeel.data.scenarios.scenario.scenario import Settings


def change(opened: Opened, before: str, after: str) -> Change:
    """Return what changes from one row of the comparison to another, by their names.

    Partitions that a first round withholds count for the member that will get them. Where the owners of a row are unknown, every
    partition counts as unowned.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    return _change(opened, before, after, plugin_settings())


@kept
def _change(opened: Opened, before: str, after: str, _settings: str) -> Change:
    comparison = view(opened).comparison
    return _changed(comparison, *(_in_the_end(comparison, name) for name in (before, after)))


@kept
def upgrade(opened: Opened, name: str, to: str) -> Change | None:
    """Return what changes from an assignor's answer as of the chosen release to that of another one; None where either is not known."""
    answers = [_answered(opened, name, settings).assignment for settings in (opened.settings, opened._replace(kafka=to).settings)]
    return None if None in answers else _changed(begun(opened).own.comparison, *(answer.handed_out() for answer in answers))


class Led(NamedTuple):
    """The answer where another client leads.

    `change`: from the answer of the client that is chosen, or from the current owners where that has none (`from_now`); None where unknown.
    """

    row: Row
    change: Change | None
    from_now: bool = False


@kept
def led_otherwise(opened: Opened, name: str, client: str) -> Led:
    """Return what an assignor answers where another client leads the same group."""
    mine = _answered(opened, name, opened.settings).assignment
    other = _answered(opened, name, opened._replace(client=client).settings)
    comparison = begun(opened).own.comparison
    before = mine or comparison.rows[0].assignment
    if before is None or other.assignment is None:
        return Led(other, None)
    return Led(other, _changed(comparison, before.handed_out(), other.assignment.handed_out()), mine is None)


def _answered(opened: Opened, name: str, settings: Settings) -> Row:
    own = begun(opened).own
    return answered(own.comparison.group, own.comparison.lag, None, own_assignors(own.observed, settings)[name])


def change_in_time(group: Opened, earlier: str) -> Change | None:
    """Return what has changed owner since an earlier snapshot of the group; None where the owners of either are unknown."""
    both = group._replace(earlier=earlier)
    rows = view(both).comparison.rows
    return None if None in (rows[-1].assignment, rows[0].assignment) else change(both, rows[-1].name, rows[0].name)


def _changed(comparison: Comparison, owned: Assignment, assigned: Assignment) -> Change:
    pairs = owner_pairs(comparison.group, owned, assigned)
    lag = lag_at(comparison.group, comparison.lag, pairs.topic, pairs.partition)
    return Change(moves_between(owned, assigned, comparison.group, comparison.lag), pairs, lag)


def _in_the_end(comparison: Comparison, name: str) -> Assignment:
    assignment = next(row.assignment for row in comparison.rows if row.name == name)
    if assignment is None:
        return Assignment(np.full(comparison.group.tp_count, UNASSIGNED, dtype=np.int32))
    return assignment.handed_out()
