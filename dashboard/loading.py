"""The only cached values. Every cache is bounded; what comes of an upload is keyed by its random batch id, which no other session knows."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from assignors import ASSIGNORS
from assignors.assignment import UNASSIGNED, Assignment
from assignors.comparison import Comparison, Row, answered, compare, row_of
from assignors.facts import Facts, facts_of
from assignors.load import lag_at
from assignors.moves import Moves, moves_between
from assignors.owner_pairs import OwnerPairs, owner_pairs
from assignors.protocol import Assignor
from assignors.release import of_release
from assignors.serving import serving
from dashboard.formats import duration
from dashboard.names import member_labels
from dashboard.order import worst_first
from dashboard.widgets.opened import Opened
from data import notes, store
from data.available import available
from data.columns import GroupKey, group_keys, observed_from_tables, succession
from data.configuration import configuration
from data.errors import SnapshotError
from data.manifest import Manifest
from data.observed import ObservedGroup
from data.plugin.settings import PluginSettings
from data.plugin.waiting import awaited
from data.worked_examples import worked_example

MOST_LINES = 1_000
"""Lines of one kind, rejected, notes or rows, that a page shows; the lake keeps them all."""

_MOST_WARNINGS = 10_000

_WARM_SECONDS = 0.3
"""A plug-in whose JVM runs answers a small group in less: its row comes with the others."""


class View(NamedTuple):
    """One group, ready to be shown: short names of its members and their order, worst current lag first, by name where nobody knows it.

    Rows of `waiting` stand for plug-ins that have not answered yet.
    """

    observed: ObservedGroup
    comparison: Comparison
    names: tuple[str, ...]
    order: np.ndarray
    waiting: tuple[str, ...] = ()


class Change(NamedTuple):
    """The difference of two assignments: the moves, and every partition with its owner before and after and its lag."""

    moves: Moves
    pairs: OwnerPairs
    lag: np.ndarray


def view(opened: Opened) -> View:
    """Return a group and the answers of every assignor that can serve it; nobody waits for a plug-in.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    _require_stored(opened.batch)
    own, asked = _view(opened, configuration().plugins)
    if not asked:
        return own
    rows = [future.result() if future.done() else Row(name) for name, future in asked.items()]
    comparison = own.comparison
    whole = Comparison(comparison.group, comparison.lag, (*comparison.rows, *rows))
    return own._replace(comparison=whole, waiting=tuple(row.name for row in rows if row.assignment is None and row.error is None))


def assignor_names() -> list[str]:
    """Return the names of all assignors, in the order people see them."""
    return list(_assignors(configuration().plugins))


def _require_stored(batch: str | None) -> None:
    """A cache may keep what was read of an upload longer than the upload itself."""
    chosen = configuration()
    try:
        if batch:
            store.batch(chosen.lake, batch)
    except SnapshotError as error:
        kept = duration(chosen.keep_uploads.total_seconds())
        raise SnapshotError(
            f"No upload is kept under this address: what is pasted or uploaded is deleted after {kept}. Paste or upload it again on the start page."
        ) from error


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def _view(opened: Opened, plugins: Mapping[str, PluginSettings]) -> tuple[View, dict[str, Future[Row]]]:
    observed = worked_example(opened.slug).load() if opened.slug else _stored(opened)
    comparison = compare(observed.snapshot, observed.current, [of_release(ASSIGNORS[name], opened.kafka) for name in serving(observed.group_type)])
    names = member_labels(observed.snapshot.member_id, observed.client_id)
    current = comparison.rows[0].balance
    own = View(observed, comparison, names, worst_first(current.lag if current else np.zeros(len(names)), names))
    if opened.earlier:
        return _with_earlier(own, _stored(opened._replace(batch=opened.earlier))), {}
    return own, _asked(observed, comparison.lag, plugins)


def _with_earlier(own: View, earlier: ObservedGroup) -> View:
    """Return the view with the owners of an earlier snapshot as one more row, and the members that have left since behind the others."""
    observed, owned = succession(earlier, own.observed)
    group, comparison = observed.snapshot, own.comparison
    row = row_of(group, comparison.lag, observed.current, time_of(earlier), owned)
    labels = member_labels(group.member_id, observed.client_id)[len(own.names) :]
    order = np.append(own.order, np.arange(len(own.names), group.member_count))
    return View(observed, Comparison(group, comparison.lag, (*comparison.rows, row)), (*own.names, *(f"{name} (left)" for name in labels)), order)


def time_of(observed: ObservedGroup) -> str:
    """Return the name of a snapshot's row: its time."""
    return f"{observed.taken_at:%Y-%m-%d %H:%M:%S}"


def _asked(observed: ObservedGroup, lag: np.ndarray, plugins: Mapping[str, PluginSettings]) -> dict[str, Future[Row]]:
    assignors = _assignors(plugins)
    asked = {
        name: awaited(partial(answered, observed.snapshot, lag, observed.current, assignors[name]()))
        for name in serving(observed.group_type, assignors)
        if name in plugins
    }
    wait(asked.values(), timeout=_WARM_SECONDS)
    return asked


@st.cache_resource(max_entries=1, show_spinner=False)
def _assignors(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    return available(plugins)


def facts(opened: Opened) -> dict[str, Facts]:
    """Return what is to be said of each answer of Evenkeel's own assignors beside its figures, by name.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    _require_stored(opened.batch)
    return _facts(opened)


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def _facts(opened: Opened) -> dict[str, Facts]:
    shown, _ = _view(opened, configuration().plugins)
    group, current, is_order_known = shown.comparison.group, shown.observed.current, "members" not in shown.observed.assumed
    rows = [row for row in shown.comparison.rows[1:] if row.name in ASSIGNORS]
    return {row.name: facts_of(group, current, of_release(ASSIGNORS[row.name], opened.kafka), row, is_order_known) for row in rows}


def _stored(opened: Opened) -> ObservedGroup:
    found = store.tables(configuration().lake, opened.batch, opened.group_id)
    return observed_from_tables(found.offsets, found.members, found.topics, opened.group_id, opened.source_file)


def change(opened: Opened, before: str, after: str) -> Change:
    """Return what changes from one row of the comparison to another, by their names; what a first round withholds counts for whom it is for.

    Where nobody knows who owns what, every partition comes from nobody.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    _require_stored(opened.batch)
    return _change(opened, before, after, configuration().plugins)


# At a million partitions an entry takes 23 MB; a chain by way of every other assignor has ten.
@st.cache_resource(max_entries=12, ttl="1h", show_spinner=False)
def _change(opened: Opened, before: str, after: str, plugins: Mapping[str, PluginSettings]) -> Change:
    comparison = view(opened).comparison
    return _changed(comparison, *(_in_the_end(comparison, name) for name in (before, after)))


def _changed(comparison: Comparison, owned: Assignment, assigned: Assignment) -> Change:
    pairs = owner_pairs(comparison.group, owned, assigned)
    lag = lag_at(comparison.group, comparison.lag, pairs.topic, pairs.partition)
    return Change(moves_between(owned, assigned, comparison.group, comparison.lag), pairs, lag)


@st.cache_resource(max_entries=12, ttl="1h", show_spinner=False)
def upgrade(opened: Opened, name: str, to: str) -> Change | None:
    """Return what changes from an assignor's answer as of the chosen release to that of another one; None where either is not known."""
    comparison = _view(opened, configuration().plugins)[0].comparison
    answers = [answered(comparison.group, comparison.lag, None, of_release(ASSIGNORS[name], version)).assignment for version in (opened.kafka, to)]
    return None if None in answers else _changed(comparison, *(answer.handed_out() for answer in answers))


def _in_the_end(comparison: Comparison, name: str) -> Assignment:
    assignment = next(row.assignment for row in comparison.rows if row.name == name)
    if assignment is None:
        return Assignment(np.full(comparison.group.tp_count, UNASSIGNED, dtype=np.int32))
    return assignment.handed_out()


class Group(NamedTuple):
    """One group of an upload; the figures are None where they are not known."""

    opened: Opened
    member_count: int | None
    partition_count: int | None
    lag: int | None


class Import(NamedTuple):
    """What was read in one upload: the manifest, the first rejected lines and errors of the tool (schemas REJECTED and NOTES), the groups of which a listing says that they are
    rebalancing, with its file, and all groups, worst first."""

    manifest: Manifest
    rejected: pa.Table
    errors: pa.Table
    rebalancing: frozenset[tuple[str, str]]
    groups: tuple[Group, ...]


def imported(batch: str) -> Import:
    """Return what was read in one upload.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    _require_stored(batch)
    return _imported(batch)


@st.cache_resource(max_entries=24, ttl="1h", show_spinner=False)
def _imported(batch: str) -> Import:
    lake = configuration().lake
    loads = _latest(store.groups(lake, batch).to_pylist())
    # Topics alone make no load; a batch with loads may be too big to be read whole.
    groups = [_group(batch, key, loads) for key in loads or group_keys(*store.tables(lake, batch))]
    groups.sort(key=lambda group: (group.lag is None, -(group.lag or 0), group.opened.group_id or ""))
    rejected, errors = store.first_rows(lake, batch, "REJECTED", MOST_LINES), store.notes_of_kind(lake, batch, notes.ERROR, MOST_LINES)
    warnings = store.notes_of_kind(lake, batch, notes.REBALANCING, _MOST_WARNINGS)
    return Import(store.batch(lake, batch), rejected, errors, notes.rebalancing_groups(warnings), tuple(groups))


def is_rebalancing(opened: Opened) -> bool:
    """Tell whether the listing of a group says that it is rebalancing."""
    warnings = imported(opened.batch).rebalancing if opened.batch else ()
    return any(group == opened.group_id if opened.group_id is not None else file == opened.source_file for group, file in warnings)


@st.cache_resource(max_entries=12, ttl="1h", show_spinner=False)
def first_lines(batch: str, name: str) -> pa.Table:
    """Return the first rows of a table of an upload."""
    return store.first_rows(configuration().lake, batch, name, MOST_LINES)


def _latest(rows: list[dict]) -> dict[GroupKey, dict]:
    """Return the row of each group's latest instant, which is the one that `observed_from_tables` takes."""
    by_time = sorted(reversed(rows), key=lambda row: row["taken_at"] or datetime.min.replace(tzinfo=UTC))
    return {GroupKey(row["group_id"], row["unnamed_in"]): row for row in by_time}


def _group(batch: str, key: GroupKey, loads: dict[GroupKey, dict]) -> Group:
    load = loads.get(key, {})
    return Group(Opened(None, batch, *key), *(load.get(column) for column in ("member_count", "partition_count", "lag")))
