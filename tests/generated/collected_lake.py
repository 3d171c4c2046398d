"""Days of a collector with a known truth, written as a lake has them after `evenkeel tidy`: no
broker, no Spark.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.day_rows import DayFile
from evenkeel.data.lake.slots.slot_batches import (
    SCHEMAS,
    Range,
    coded_schema,
    day_batch,
    first_groups,
    manifest_of_day,
    ranges,
    slot_batch,
)
from tests.generated.collector_plan import CLUSTER, Plan, Slot, State

_ROWS_AT_ONCE = 250_000


def write_lake(lake: Place, plan: Plan, seed: int = 1) -> None:
    """Write all days of a plan."""
    state = State(plan, np.random.default_rng(seed))
    for _, slots in groupby(range(plan.slot_count), lambda slot: plan.time(slot).date()):
        _Day(lake, plan, list(slots)).write(state)


class _Day:
    """One day, on its way into the lake."""

    def __init__(self, lake: Place, plan: Plan, slots: Sequence[int]):
        self._lake, self._plan = lake, plan
        self._missed = {slot for first, last in plan.missed for slot in range(first, last + 1)}
        self._slots = slots
        self._batch = day_batch(CLUSTER, plan.time(slots[0]).date())

    def write(self, state: State) -> None:
        first = {name: self._first_groups(each) for name, each in self._plan.rows_of_group.items()}
        files = {
            name: tuple(
                f"{name}/{self._batch}/{number}.parquet" for number in range(len(first[name]))
            )
            for name in first
        }
        writers = {name: [self._writer(name, file) for file in files[name]] for name in files}
        for part in self._parts(state):
            for name, table in part.items():
                for writer, groups in zip(writers[name], ranges(first[name]), strict=True):
                    writer.add(self._of_groups(table, groups))
        for writer in (one for some in writers.values() for one in some):
            writer.close()
        slots = [
            self._manifest(slot, tuple(files)) for slot in self._slots if slot not in self._missed
        ]
        gaps = [self._gap(first, last) for first, last in self._plan.missed if last in self._slots]
        in_order = sorted([*slots, *gaps], key=lambda one: one.batch)
        manifest.publish(self._lake, manifest_of_day(self._batch, in_order, files, first))

    def _first_groups(self, each: int) -> tuple[str, ...]:
        return first_groups(dict.fromkeys(self._plan.group_names, each), len(self._slots))

    def _of_groups(self, table: pa.Table, groups: Range) -> pa.Table:
        """Return the rows of these groups; all have as many, one group after the other."""
        wanted = [number for number, name in enumerate(self._plan.group_names) if groups.has(name)]
        each = table.num_rows // self._plan.groups
        return table.slice(wanted[0] * each, len(wanted) * each)

    def _parts(self, state: State) -> Iterator[dict[str, pa.Table]]:
        held: list[tuple[int, Slot]] = []
        for slot in self._slots:
            state.pass_slot(slot)
            if slot not in self._missed:
                held.append((slot, Slot(state)))
            if held and (len(held) * state.end.size >= _ROWS_AT_ONCE or slot == self._slots[-1]):
                yield tables_of(self._plan, held)
                held = []

    def _writer(self, name: str, file: str) -> DayFile:
        path = self._lake.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return DayFile(path, SCHEMAS[name])

    def _manifest(self, slot: int, names) -> Manifest:
        at = self._plan.time(slot)
        taken_at = at + timedelta(milliseconds=700)
        return Manifest(
            batch=slot_batch(CLUSTER, int(at.timestamp())),
            ingested_at=taken_at,
            taken_at=taken_at,
            tables=dict.fromkeys(names, ("?",)),
            cluster=CLUSTER,
        )

    def _gap(self, first: int, last: int) -> Manifest:
        begin, end = self._plan.time(first), self._plan.time(last)
        batch = slot_batch(CLUSTER, int(end.timestamp()))
        return Manifest(
            batch=batch,
            ingested_at=end,
            taken_at=begin,
            gap_until=end,
            cluster=CLUSTER,
            gap="the collector did not run",
        )


def tables_of(plan: Plan, held: list[tuple[int, Slot]]) -> dict[str, pa.Table]:
    """Return the rows of some slots by group and slot."""
    groups, slots, tps = plan.groups, len(held), plan.partitions
    topic_of, names = plan.topic_of(), [plan.topic_names(group) for group in range(plan.groups)]
    slot_of, group_of, tp_of = np.arange(slots), np.arange(groups), np.arange(tps, dtype=np.int32)

    def spread(name: str) -> np.ndarray:
        return np.stack([getattr(one, name) for _, one in held], axis=1).reshape(groups * slots, -1)

    times = pa.array(
        [plan.time(slot) + timedelta(milliseconds=700) for slot, _ in held],
        SCHEMAS["OFFSETS"].field("taken_at").type,
    )
    batches = [slot_batch(CLUSTER, int(plan.time(slot).timestamp())) for slot, _ in held]
    group_id, member_id = (
        plan.group_names,
        [f"member-{number}-4b1e" for number in range(plan.members)],
    )

    def head(each: int) -> dict[str, Any]:
        """Columns of tables with so many rows a group and slot."""
        group, slot = np.repeat(group_of, slots * each), np.tile(np.repeat(slot_of, each), groups)
        return {
            "taken_at": times.take(pa.array(slot)),
            "batch": _named(slot, batches),
            "group_id": _named(group, group_id),
            "cluster": _named(slot * 0, [CLUSTER]),
            "group_type": _named(slot * 0, ["classic"]),
            "group_state": _named(slot * 0, ["Stable"]),
            "assignor": _named(slot * 0, ["range"]),
            "source_format": _named(slot * 0, ["evenkeel.group/1"]),
            "source_file": _named(slot * 0, [f"cluster {CLUSTER}"]),
            "source_line": group + 1,
        }

    end, committed, owner = (spread(name) for name in ("end", "committed", "owner"))
    lag = (end - committed).ravel()
    in_topic = tp_of - np.searchsorted(topic_of, topic_of).astype(np.int32)
    topic = _named(
        np.repeat(group_of, slots * tps) * plan.topics + np.tile(topic_of, groups * slots),
        [one for some in names for one in some],
    )
    of_partition = head(tps) | {
        "topic": topic,
        "partition": np.tile(in_topic, groups * slots),
        "member_id": _named(owner.ravel(), member_id),
    }
    offsets = {
        "begin_offset": np.zeros(end.size, dtype=np.int64),
        "committed_offset": committed.ravel(),
        "end_offset": end.ravel(),
    }
    generation = np.repeat(spread("generation").ravel(), plan.members)
    members = {
        "member_id": _named(np.tile(np.arange(plan.members), groups * slots), member_id),
        "generation": generation,
    }
    order = {"member_order": np.tile(np.arange(plan.members, dtype=np.int32), groups * slots)}
    topics = [name for group in np.repeat(group_of, slots * plan.members) for name in names[group]]
    subscribed = pa.ListArray.from_arrays(
        np.arange(0, len(topics) + 1, plan.topics, dtype=np.int32), topics
    )
    loads = {
        "member_count": np.full(groups * slots, plan.members),
        "partition_count": np.full(groups * slots, tps),
    }
    loads |= {
        "lag": lag.reshape(-1, tps).sum(axis=1),
        "unknown_lag_count": np.zeros(groups * slots, dtype=np.int64),
    }
    return {
        "OFFSETS": _table("OFFSETS", of_partition | offsets),
        "LAG": _table("LAG", of_partition | {"lag": lag, "assignor_lag": lag}),
        "MEMBERS": _table(
            "MEMBERS", head(plan.members) | members | order | {"subscribed": subscribed}
        ),
        "GROUP_LOAD": _table("GROUP_LOAD", head(1) | loads),
    }


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    count = len(columns["batch"])
    schema = coded_schema(SCHEMAS[name])
    given = {field.name: columns.get(field.name, pa.nulls(count, field.type)) for field in schema}
    arrays = [
        pa.array(given[field.name], field.type)
        if isinstance(given[field.name], np.ndarray)
        else given[field.name]
        for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _named(code: np.ndarray, name: list[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(code.astype(np.int32)), name)
