"""Diagnoses of an open group and of each group of a batch, for all pages that show a diagnosis."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import pyarrow as pa

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.episodes import past_now, pasts
from evenkeel.dashboard.shell.loading.readings import own_readings
from evenkeel.dashboard.shell.loading.uploads import ListedGroups, imported
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import require_batch, require_seen
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed
from evenkeel.data.diagnosis.reading import Readings, between
from evenkeel.data.diagnosis.stored import stored_readings, stored_readings_of_all
from evenkeel.data.diagnosis.summary import Summary, summary_of
from evenkeel.data.episodes.past import GroupPast
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.scenarios.stored_groups import StoredGroup


def diagnosis(opened: OpenGroup, *, before: str | None = None, gain: float | None = None) -> Answer:
    """Return the diagnosis of the open group as listed.

    `before`: the batch of an earlier reading of a live group, if the lake has no earlier reading.
    `gain`: the least gain that makes a switch worthwhile, chosen by the reader.

    Raises
    ------
    SnapshotError
        If the batch is gone, or the group is too large.
    """
    require_seen(opened)
    group = opened._replace(edited=None, plan=None)
    context = _context(group)
    if gain is not None:
        context = replace(context, gain=gain)
    key = (diagnosis, group, before, context)
    return ALL.get(key, partial(_diagnosis, group, before, context))


def _diagnosis(opened: OpenGroup, before: str | None, context: Context) -> Answer:
    context = replace(context, group=opened.settings)
    if not opened.batch:
        return diagnosed(Readings(begun(opened).own.observed), context)
    chosen = configuration()
    group = StoredGroup(
        chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget, opened.reset
    )
    now = stored_readings(group, has_notes=True)
    near = past_now(opened, now.now.taken_at, now.now.snapshot.tp_count)
    if near.before:
        slot = group._replace(lake=near.lake or group.lake, batch=near.before)
        now = between(stored_readings(slot).now, now)
    elif before:
        now = between(stored_readings(group._replace(batch=before)).now, now)
    return diagnosed(now, _with(context, near.past))


def _with(context: Context, past: GroupPast | None) -> Context:
    return replace(context, past=past) if past else context


def summaries(batch: str, before: str | None = None) -> tuple[Summary, ...]:
    """Return the diagnosis of each group that the reader may see in a batch. Each group is
    diagnosed as listed. The order is the order of `imported(batch).groups`. `before`: the batch of
    an earlier slot.

    Raises
    ------
    SnapshotError
        If a batch is gone, or a group is too large.
    """
    require_batch(batch)
    groups = imported(batch).groups
    if not len(groups):
        return ()
    context, keys = _context(groups.opened(0)), _keys(groups.table)
    key = (summaries, batch, before, context, tuple(keys))
    made = ALL.get(key, lambda: tuple(map(summary_of, _each(batch, before, keys, context))))
    past, version = _pasts(groups)
    later = {
        place: ALL.get(
            (*key, place, version), partial(_summary, groups, place, before, context, of)
        )
        for place, of in past.items()
    }
    return tuple(later.get(place, each) for place, each in enumerate(made))


def _pasts(groups: ListedGroups) -> tuple[dict[int, GroupPast], str | None]:
    """Return the history that the diagnosis of each group uses, by the group's place, and the slot
    at which the histories end.
    """
    first = groups.opened(0)
    cluster = cluster_of(first)
    if cluster is not None:
        every = pasts(cluster, 0)
        names = groups.table["group_id"].to_pylist()
        past = {place: every.of_group.get(name) for place, name in enumerate(names)}
        return _telling(past), every.batch
    own = own_readings(first)
    if own is None or len(own.times) < 2:
        return {}, None
    past = {
        place: past_now(groups.opened(place), own.times[-1], count).past
        for place, count in enumerate(groups.table["partition_count"].to_pylist())
    }
    return _telling(past), None


def _telling(past: Mapping[int, GroupPast | None]) -> dict[int, GroupPast]:
    return {place: each for place, each in past.items() if each and each.tells}


def _summary(
    groups: ListedGroups, place: int, before: str | None, context: Context, past: GroupPast
) -> Summary:
    opened, chosen = groups.opened(place), configuration()
    group = StoredGroup(
        chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget
    )
    now = stored_readings(group)
    if before is not None:
        now = between(stored_readings(group._replace(batch=before)).now, now)
    return summary_of(diagnosed(now, _with(context, past)))


def _each(
    batch: str, before: str | None, keys: list[GroupKey], context: Context
) -> Iterator[Answer]:
    chosen = configuration()
    later = stored_readings_of_all(chosen.lake, batch, keys, chosen.budget)
    if before is None:
        for readings in later:
            yield diagnosed(readings, context)
        return
    earlier = stored_readings_of_all(chosen.lake, before, keys, chosen.budget)
    for first, readings in zip(earlier, later, strict=True):
        yield diagnosed(between(first.now, readings), context)


def _keys(table: pa.Table) -> list[GroupKey]:
    columns = (table[name].to_pylist() for name in ("group_id", "unnamed_in"))
    return list(map(GroupKey, *columns))


def _context(opened: OpenGroup) -> Context:
    cluster = cluster_of(opened) if opened.batch else None
    context = Context.of(configuration())
    return context if cluster is None else replace(context, cluster=cluster)
