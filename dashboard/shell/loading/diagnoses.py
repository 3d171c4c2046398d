"""What is wrong with an open group, and with each group of an upload: drawn by every page that
judges.
"""

from dataclasses import replace
from functools import partial

import pyarrow as pa

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import require_batch, require_seen
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.diagnosis.stored import stored_readings, stored_readings_of_all
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.scenarios.stored_groups import StoredGroup


def diagnosis(opened: Opened, before: str | None = None, gain: float | None = None) -> Answer:
    """Return what is wrong with the open group, as its input has it.

    `before`: the batch with an earlier reading of a live group. `gain`: the least one that is worth
    a switch, if the reader has chosen another.

    Raises
    ------
    SnapshotError
        When the batch is gone, or the group is too large.
    """
    require_seen(opened)
    group = opened._replace(edited=None, plan=None)
    context = _context(group)
    if gain is not None:
        context = replace(context, gain=gain)
    key = (diagnosis, group, before, context)
    return ALL.get(key, partial(_diagnosis, group, before, context))


def _diagnosis(opened: Opened, before: str | None, context: Context) -> Answer:
    context = replace(context, group=opened.settings)
    if opened.batch is None:
        return diagnosed(Readings(begun(opened).own.observed), context)
    chosen = configuration()
    group = StoredGroup(
        chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget, opened.reset
    )
    now = stored_readings(group)
    if before is not None:
        now = between(stored_readings(group._replace(batch=before)).now, now)
    return diagnosed(now, context)


def diagnoses(batch: str) -> list[Answer]:
    """Return the diagnosis of each group of an upload that the reader may see, in the order of
    `imported(batch).groups`.

    Raises
    ------
    SnapshotError
        When the batch is gone, or a group is too large.
    """
    require_batch(batch)
    groups = imported(batch).groups
    if not len(groups):
        return []
    context = _context(groups.opened(0))
    keys = _keys(groups.table)
    return ALL.get(
        (diagnoses, batch, context, tuple(keys)), partial(_diagnoses, batch, keys, context)
    )


def _diagnoses(batch: str, keys: list[GroupKey], context: Context) -> list[Answer]:
    chosen = configuration()
    readings = stored_readings_of_all(chosen.lake, batch, keys, chosen.budget)
    return [diagnosed(each, context) for each in readings]


def _keys(table: pa.Table) -> list[GroupKey]:
    columns = (table[name].to_pylist() for name in ("group_id", "unnamed_in"))
    return list(map(GroupKey, *columns))


def _context(opened: Opened) -> Context:
    cluster = cluster_of(opened) if opened.batch else None
    context = Context.of(configuration())
    return context if cluster is None else replace(context, cluster=cluster)
