"""One group with the answers of all assignors that support its type; the differences between two
answers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.compare.balance import Balance, balance, lag_at
from evenkeel.assignors.compare.comparison import Comparison, Row, answered, row_of
from evenkeel.assignors.compare.facts import Facts
from evenkeel.assignors.compare.moves import moves_between, owner_pairs
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.names import worst_first
from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.loading.plugins import ask_killed, asked, plugin_settings
from evenkeel.dashboard.shell.loading.stored_groups import small_or_answered, stored
from evenkeel.dashboard.shell.loading.uploads import time_of
from evenkeel.dashboard.shell.reader import require_seen
from evenkeel.dashboard.times import full
from evenkeel.dashboard.view import Change, OpenGroup, View
from evenkeel.data.configuration import configuration
from evenkeel.data.group.columns import succession
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.lake.history.instants import parted
from evenkeel.data.scenarios.leaders import Answers, comparison_of, own_assignors
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.scenarios.stored_groups import with_reset
from evenkeel.data.sources.examples.worked_examples import worked_example
from evenkeel.data.text.names import member_labels


def view(opened: OpenGroup) -> View:
    """Return a group with the answers of all assignors that support its type. Answers of plug-ins
    may still be missing.

    Raises
    ------
    SnapshotError
        If the batch is gone, or the group takes more memory than the configuration allows.
    """
    require_seen(opened)
    own, pending, _ = begun(opened)
    if not pending:
        return own
    ask_killed(own.observed, own.comparison.lag, configuration().plugins, pending)
    rows = [future.result() if future.done() else Row(name) for name, future in pending.items()]
    comparison = own.comparison
    whole = Comparison(comparison.group, comparison.lag, (*comparison.rows, *rows))
    return own._replace(
        comparison=whole,
        waiting=tuple(row.name for row in rows if row.assignment is None and row.error is None),
    )


PLAN = "best plan"
"""Name of the row with the requested plan."""


class OwnAnswers(NamedTuple):
    """A group with the answers of Evenkeel's built-in assignors.

    `pending`: future answers of plug-ins, by assignor name. `facts`: facts about each answer; None
    unless the group is large.
    """

    own: View
    pending: dict[str, Future[Row]]
    facts: dict[str, Facts] | None


def begun(opened: OpenGroup) -> OwnAnswers:
    """Return a group with the answers of the built-in assignors. Plug-ins have been called, but
    their answers are still pending.
    """
    # The name is in the reader's time zone, so a reader in another zone has a separate view of the
    # same two moments.
    return _begun(
        opened, plugin_settings(), full(time_of(opened.earlier)) if opened.earlier else ""
    )


@kept
def _begun(opened: OpenGroup, _settings: str, earlier_name: str) -> OwnAnswers:
    example = worked_example(opened.slug) if opened.slug else None
    group = with_reset(example.load(), opened.reset) if example else small_or_answered(opened)
    observed, comparison, facts = (
        group
        if isinstance(group, Answers)
        else (group, comparison_of(group, opened.settings), None)
    )
    names = member_labels(observed.snapshot.member_id, observed.client_id)
    current = comparison.rows[0].balance
    own = View(
        observed,
        comparison,
        names,
        worst_first(current.lag if current else np.zeros(len(names)), names),
        opened=opened,
    )
    if opened.plan:
        assignment = Assignment(np.frombuffer(opened.plan, dtype=np.int32))
        row = row_of(observed.snapshot, comparison.lag, observed.current, PLAN, assignment)
        own = own._replace(
            comparison=Comparison(comparison.group, comparison.lag, (*comparison.rows, row))
        )
        return OwnAnswers(own, {}, facts)
    if opened.earlier:
        batch, at = parted(opened.earlier)
        earlier = stored(opened._replace(batch=batch), at)
        return OwnAnswers(_with_earlier(own, earlier, earlier_name), {}, facts)
    return OwnAnswers(own, asked(observed, comparison.lag, configuration().plugins), facts)


@kept
def balance_then(opened: OpenGroup) -> Balance | None:
    """Return how evenly partitions and lag were spread at the earlier time that the reader has
    chosen. None if no earlier time is chosen or the owners at that time are unknown.
    """
    if not opened.earlier:
        return None
    batch, at = parted(opened.earlier)
    observed = stored(opened._replace(batch=batch), at)
    return (
        balance(observed.snapshot, observed.current, page_lag(observed.snapshot))
        if observed.current
        else None
    )


def _with_earlier(own: View, earlier: ObservedGroup, time: str) -> View:
    """Return the view with one more row: the assignment in an earlier snapshot. The row's name is
    the time of the snapshot. If the owners are unknown, the row has only this name.

    Members that have left the group since then are last in the list of members.
    """
    observed, owned = succession(earlier, own.observed)
    group, comparison = observed.snapshot, own.comparison
    row = (
        Row(time) if owned is None else row_of(group, comparison.lag, observed.current, time, owned)
    )
    labels = member_labels(group.member_id, observed.client_id)[len(own.names) :]
    order = np.append(own.order, np.arange(len(own.names), group.member_count))
    whole = Comparison(group, comparison.lag, (*comparison.rows, row))
    return own._replace(
        observed=observed,
        comparison=whole,
        names=(*own.names, *(f"{name} (left)" for name in labels)),
        order=order,
    )


# The difference of two assignments of one group: under two assignors, in two releases or at two
# moments.


def change(opened: OpenGroup, before: str, after: str) -> Change:
    """Return the changes from the row `before` to the row `after` of the comparison, given by name.

    If a partition is first revoked and assigned only in the next round, the change names its final
    owner. If the owners of a row are unknown, all its partitions count as unowned.

    Raises
    ------
    SnapshotError
        If the batch is gone.
    """
    require_seen(opened)
    return _change(opened, before, after, plugin_settings())


@kept
def _change(opened: OpenGroup, before: str, after: str, _settings: str) -> Change:
    comparison = view(opened).comparison
    return _changed(comparison, *(_in_the_end(comparison, name) for name in (before, after)))


@kept
def upgrade(opened: OpenGroup, name: str, to: str) -> Change | None:
    """Return the changes if all clients of the group are upgraded to Kafka release `to` with the
    same assignor. None if the answer in either release is unknown.
    """
    before, after = (
        _answered(opened, name, settings).assignment
        for settings in (opened.settings, opened._replace(kafka=to).settings)
    )
    if before is None or after is None:
        return None
    return _changed(begun(opened).own.comparison, before.handed_out(), after.handed_out())


class LeaderAnswer(NamedTuple):
    """The answer of an assignor if another client is the leader.

    `change`: the differences from the answer of the chosen client; None if unknown. `from_now`: the
    chosen client has no answer, so `change` has the differences from the current owners.
    """

    row: Row
    change: Change | None
    from_now: bool = False


@kept
def led_otherwise(opened: OpenGroup, name: str, client: str) -> LeaderAnswer:
    """Return an assignor's answer for the same group if `client` is the leader."""
    mine = _answered(opened, name, opened.settings).assignment
    other = _answered(opened, name, opened._replace(client=client).settings)
    comparison = begun(opened).own.comparison
    before = mine or comparison.rows[0].assignment
    if before is None or other.assignment is None:
        return LeaderAnswer(other, None)
    return LeaderAnswer(
        other,
        _changed(comparison, before.handed_out(), other.assignment.handed_out()),
        mine is None,
    )


def _answered(opened: OpenGroup, name: str, settings: Settings) -> Row:
    own = begun(opened).own
    return answered(
        own.comparison.group, own.comparison.lag, None, own_assignors(own.observed, settings)[name]
    )


def change_in_time(group: OpenGroup, earlier: str) -> Change | None:
    """Return the partitions whose owner has changed since an earlier snapshot of the group. None if
    the owners at either time are unknown.
    """
    both = group._replace(earlier=earlier)
    rows = view(both).comparison.rows
    return (
        None
        if None in (rows[-1].assignment, rows[0].assignment)
        else change(both, rows[-1].name, rows[0].name)
    )


def _changed(comparison: Comparison, owned: Assignment, assigned: Assignment) -> Change:
    pairs = owner_pairs(comparison.group, owned, assigned)
    lag = lag_at(comparison.group, comparison.lag, pairs.topic, pairs.partition)
    return Change(moves_between(owned, assigned, comparison.group, comparison.lag), pairs, lag)


def _in_the_end(comparison: Comparison, name: str) -> Assignment:
    assignment = next(row.assignment for row in comparison.rows if row.name == name)
    if assignment is None:
        return Assignment(comparison.group.unowned())
    return assignment.handed_out()


# Figures that are ready to be sent. Each figure is drawn once for all sessions with the same view.


class Ready(BaseFigure):
    """A plotly figure, already converted to the dictionary that Streamlit asks for. The conversion
    takes longer than the rest of a page, so it is done once.
    """

    def __init__(self, made: dict[str, Any]):
        self._made = made

    @property
    def layout(self) -> dict[str, Any]:
        """The layout of the figure; callers use it to place an element next to the figure."""
        return self._made["layout"]

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary of the figure, the same object at each call. Streamlit only reads
        it.
        """
        return self._made


def figure(view: View, chosen: Sequence[str], draw: Callable[..., go.Figure], *args: Any) -> Ready:
    """Return the figure that `draw` makes from `args`. It is cached. `args` may contain only texts,
    numbers, and data that follows from `view` and `chosen`.
    """
    settings = tuple(each for each in args if isinstance(each, (str, int, float)))
    return ALL.get(
        (draw, view.opened, view.waiting, tuple(chosen), settings, plugin_settings()),
        partial(_drawn, draw, args),
    )


def _drawn(draw: Callable[..., go.Figure], args: Sequence[Any]) -> Ready:
    return Ready(draw(*args).to_dict())
