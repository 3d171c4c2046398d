"""One group and the answers of every assignor that can serve it."""

from concurrent.futures import Future
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.figures.balance import Balance, balance
from evenkeel.assignors.figures.comparison import Comparison, Row, row_of
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.loading.batches.moments import time_of
from evenkeel.dashboard.loading.batches.stored_groups import require_stored, small_or_answered, stored
from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.loading.plugins import ask_killed, asked, plugin_settings
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.words.names import worst_first
from evenkeel.dashboard.words.times import full
from evenkeel.data.columns import succession
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.lake.history.moment import parted
from evenkeel.data.scenarios.answers import Answers, comparison_of
from evenkeel.data.scenarios.examples.worked_examples import worked_example
from evenkeel.data.scenarios.stored_groups import with_reset
from evenkeel.data.words.names import member_labels


def view(opened: Opened) -> View:
    """Return a group and the answers of every assignor that can serve it, without waiting for plug-ins.

    Raises
    ------
    SnapshotError
        When the batch is gone, or the group takes more memory than the configuration allows.
    """
    require_stored(opened.batch)
    require_stored(opened.earlier and parted(opened.earlier)[0])
    own, pending, _ = begun(opened)
    if not pending:
        return own
    ask_killed(own.observed, own.comparison.lag, configuration().plugins, pending)
    rows = [future.result() if future.done() else Row(name) for name, future in pending.items()]
    comparison = own.comparison
    whole = Comparison(comparison.group, comparison.lag, (*comparison.rows, *rows))
    return own._replace(comparison=whole, waiting=tuple(row.name for row in rows if row.assignment is None and row.error is None))


class Begun(NamedTuple):
    """A group with the answers of Evenkeel's own assignors.

    `pending`: the answers of plug-ins that are still to come, by name. `facts`: of a large group, the facts about each answer.
    """

    own: View
    pending: dict[str, Future[Row]]
    facts: dict[str, Facts] | None


def begun(opened: Opened) -> Begun:
    """Return what is known of a group at once."""
    # A name in the reader's zone: who reads in another one has another view of the same two moments.
    return _begun(opened, plugin_settings(), full(time_of(opened.earlier)) if opened.earlier else None)


@kept
def _begun(opened: Opened, _settings: str, earlier_name: str | None) -> Begun:
    found = with_reset(worked_example(opened.slug).load(), opened.reset) if opened.slug else small_or_answered(opened)
    observed, comparison, facts = found if isinstance(found, Answers) else (found, comparison_of(found, opened.settings), None)
    names = member_labels(observed.snapshot.member_id, observed.client_id)
    current = comparison.rows[0].balance
    own = View(observed, comparison, names, worst_first(current.lag if current else np.zeros(len(names)), names), opened=opened)
    if opened.earlier:
        batch, at = parted(opened.earlier)
        earlier = stored(opened._replace(batch=batch), at)
        return Begun(_with_earlier(own, earlier, earlier_name), {}, facts)
    return Begun(own, asked(observed, comparison.lag, configuration().plugins), facts)


@kept
def balance_then(opened: Opened) -> Balance | None:
    """Return how the earlier moment spread partitions and the lag that it had; None without one, or where its owners are unknown."""
    if not opened.earlier:
        return None
    batch, at = parted(opened.earlier)
    observed = stored(opened._replace(batch=batch), at)
    return balance(observed.snapshot, observed.current, page_lag(observed.snapshot)) if observed.current else None


def _with_earlier(own: View, earlier: ObservedGroup, time: str) -> View:
    """Return the view with one more row: the owners of an earlier snapshot, named by its time, empty where they are unknown.

    Members that have left since stand behind the others.
    """
    observed, owned = succession(earlier, own.observed)
    group, comparison = observed.snapshot, own.comparison
    row = Row(time) if owned is None else row_of(group, comparison.lag, observed.current, time, owned)
    labels = member_labels(group.member_id, observed.client_id)[len(own.names) :]
    order = np.append(own.order, np.arange(len(own.names), group.member_count))
    whole = Comparison(group, comparison.lag, (*comparison.rows, row))
    return own._replace(observed=observed, comparison=whole, names=(*own.names, *(f"{name} (left)" for name in labels)), order=order)
