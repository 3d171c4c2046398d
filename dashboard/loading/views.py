"""One group and the answers of every assignor that can serve it."""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import NamedTuple

import numpy as np
import streamlit as st

from assignors import ASSIGNORS
from assignors.comparison import Comparison, Row, compare, row_of
from assignors.release import of_release
from assignors.serving import serving
from dashboard.loading.moments import parted, time_of
from dashboard.loading.plugins import asked
from dashboard.loading.stored import require_stored, stored
from dashboard.names import member_labels
from dashboard.order import worst_first
from dashboard.widgets.opened import Opened
from data.columns import succession
from data.configuration import configuration
from data.observed import ObservedGroup
from data.plugin.settings import PluginSettings
from data.worked_examples import worked_example


class View(NamedTuple):
    """One group, ready to be shown: short names of its members and their order, worst current lag first, by name where nobody knows it.

    Rows of `waiting` stand for plug-ins that have not answered yet. `opened`: what this is a view of.
    """

    observed: ObservedGroup
    comparison: Comparison
    names: tuple[str, ...]
    order: np.ndarray
    waiting: tuple[str, ...] = ()
    opened: Opened = Opened()


def view(opened: Opened) -> View:
    """Return a group and the answers of every assignor that can serve it; nobody waits for a plug-in.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    require_stored(opened.earlier and parted(opened.earlier)[0])
    own, pending = begun(opened, configuration().plugins)
    if not pending:
        return own
    rows = [future.result() if future.done() else Row(name) for name, future in pending.items()]
    comparison = own.comparison
    whole = Comparison(comparison.group, comparison.lag, (*comparison.rows, *rows))
    return own._replace(comparison=whole, waiting=tuple(row.name for row in rows if row.assignment is None and row.error is None))


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def begun(opened: Opened, plugins: Mapping[str, PluginSettings]) -> tuple[View, dict[str, Future[Row]]]:
    """Return a group with the answers of Evenkeel's own assignors, and those of the plug-ins to come by name."""
    observed = worked_example(opened.slug).load() if opened.slug else stored(opened)
    comparison = compare(observed.snapshot, observed.current, [of_release(ASSIGNORS[name], opened.kafka) for name in serving(observed.group_type)])
    names = member_labels(observed.snapshot.member_id, observed.client_id)
    current = comparison.rows[0].balance
    own = View(observed, comparison, names, worst_first(current.lag if current else np.zeros(len(names)), names), opened=opened)
    if opened.earlier:
        batch, at = parted(opened.earlier)
        return _with_earlier(own, stored(opened._replace(batch=batch), at), f"{time_of(opened.earlier):%Y-%m-%d %H:%M:%S}"), {}
    return own, asked(observed, comparison.lag, plugins)


def _with_earlier(own: View, earlier: ObservedGroup, time: str) -> View:
    """Return the view with the owners of an earlier snapshot as one more row, named by its time, and the members that have left since behind the others."""
    observed, owned = succession(earlier, own.observed)
    group, comparison = observed.snapshot, own.comparison
    row = row_of(group, comparison.lag, observed.current, time, owned)
    labels = member_labels(group.member_id, observed.client_id)[len(own.names) :]
    order = np.append(own.order, np.arange(len(own.names), group.member_count))
    whole = Comparison(group, comparison.lag, (*comparison.rows, row))
    return own._replace(observed=observed, comparison=whole, names=(*own.names, *(f"{name} (left)" for name in labels)), order=order)
