"""Days of a collector with a known truth, written as a lake has them after `evenkeel tidy`: no broker, no Spark."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from data.lake import manifest
from data.lake.manifest import Manifest
from data.lake.place import Place
from data.lake.slots.day import SCHEMAS, manifest_of_day
from data.lake.slots.day_file import DayFile
from data.lake.slots.group_ranges import Range, first_groups, ranges
from data.lake.slots.slot_batches import day_batch, slot_batch

CLUSTER = "simulated"
BEGIN = datetime(2026, 11, 2, tzinfo=UTC)

_ROWS_AT_ONCE = 250_000


@dataclass(frozen=True)
class Plan:
    """G groups, their partitions in runs of so many topics; every so many seconds a slot.

    `stalled`: group -> (member, first slot, last slot) in which it reads nothing. `hot`: group -> a partition with 5 times the records of
    the others. `rebalances`: group -> slots at which each partition goes to the next member. `missed`: (first, last) slots without a
    snapshot.
    """

    groups: int = 200
    partitions: int = 100
    members: int = 10
    days: float = 7
    every: int = 30
    rate: float = 20.0
    topics: int = 1
    stalled: dict[int, tuple[int, int, int]] = None
    hot: dict[int, int] = None
    rebalances: dict[int, tuple[int, ...]] = None
    missed: tuple[tuple[int, int], ...] = ()

    @property
    def slot_count(self) -> int:
        return round(self.days * 86_400 / self.every)

    def topic_of(self) -> np.ndarray:
        """Return the topic of each partition of a group."""
        return np.arange(self.partitions) * self.topics // self.partitions

    def topic_names(self, group: int) -> list[str]:
        return [f"topic-{group:04d}" + f"-{chr(97 + topic)}" * (self.topics > 1) for topic in range(self.topics)]

    @property
    def group_names(self) -> list[str]:
        return [f"group-{group:04d}" for group in range(self.groups)]

    @property
    def rows_of_group(self) -> dict[str, int]:
        """Rows that a group has in a slot, by table."""
        return {"OFFSETS": self.partitions, "MEMBERS": self.members, "LAG": self.partitions, "GROUP_LOAD": 1}

    def time(self, slot: int) -> datetime:
        return BEGIN + timedelta(seconds=slot * self.every)


def plan_with_trouble(**sizes) -> Plan:
    """Return a plan with a stalled member in group 0, a hot partition in 1 and flapping owners in 2; slots 1000 to 1019 are missed."""
    plan = Plan(**sizes)
    last = plan.slot_count - 1
    return Plan(
        **sizes,
        stalled={0: (3 % plan.members, max(last - 40, 1), last)},
        hot={1 % plan.groups: plan.partitions - 1},
        rebalances={2 % plan.groups: tuple(range(max(last - 200, 1), last, 20))},
        missed=((1000, 1019),) if last > 1100 else (),
    )


def write_lake(lake: Place, plan: Plan, seed: int = 1) -> None:
    """Write all days of a plan."""
    state, a_day = State(plan, np.random.default_rng(seed)), round(86_400 / plan.every)
    for first in range(0, plan.slot_count, a_day):
        _Day(lake, plan, range(first, min(first + a_day, plan.slot_count))).write(state)


class State:
    """Offsets of all groups, (G, P), from slot to slot."""

    def __init__(self, plan: Plan, chance: np.random.Generator):
        self._plan, self._chance = plan, chance
        shape = plan.groups, plan.partitions
        self.end = chance.integers(10_000, 1_000_000, shape)
        self.committed = self.end - chance.integers(0, 100, shape)
        self.owner = np.tile(np.arange(plan.partitions, dtype=np.int32) * plan.members // plan.partitions, (plan.groups, 1))
        self.generation = np.ones(plan.groups, dtype=np.int32)
        self._rate = np.full(shape, plan.rate) * chance.uniform(0.5, 1.5, shape)
        for group, partition in (plan.hot or {}).items():
            self._rate[group] = plan.rate
            self._rate[group, partition] = plan.rate * 5
        # Members can read half as much again as comes in when all is even.
        self._capacity = plan.rate * 2 * plan.partitions / plan.members

    def pass_slot(self, slot: int) -> None:
        """Let one slot pass."""
        seconds, plan = self._plan.every, self._plan
        self.end += self._chance.poisson(self._rate * seconds)
        lag = (self.end - self.committed).astype(np.float64)
        member = self.owner + np.arange(plan.groups, dtype=np.int32)[:, None] * plan.members
        total = np.bincount(member.ravel(), lag.ravel(), plan.groups * plan.members)
        part = np.minimum(self._capacity * seconds / np.maximum(total, 1), 0.97)
        for group, (who, first, last) in (plan.stalled or {}).items():
            part[group * plan.members + who] *= not first <= slot <= last
        self.committed += (lag * part[member]).astype(np.int64)
        for group, slots in (plan.rebalances or {}).items():
            if slot in slots:
                self.owner[group] = (self.owner[group] + 1) % plan.members
                self.generation[group] += 1


class _Day:
    """One day, on its way into the lake."""

    def __init__(self, lake: Place, plan: Plan, slots: range):
        self._lake, self._plan = lake, plan
        self._missed = {slot for first, last in plan.missed for slot in range(first, last + 1)}
        self._slots = slots
        self._batch = day_batch(CLUSTER, plan.time(slots[0]).date())

    def write(self, state: State) -> None:
        first = {name: self._first_groups(each) for name, each in self._plan.rows_of_group.items()}
        files = {name: tuple(f"{name}/{self._batch}/{number}.parquet" for number in range(len(first[name]))) for name in first}
        writers = {name: [self._writer(name, file) for file in files[name]] for name in files}
        for part in self._parts(state):
            for name, table in part.items():
                for writer, groups in zip(writers[name], ranges(first[name]), strict=True):
                    writer.add(self._of_groups(table, groups))
        for writer in (one for some in writers.values() for one in some):
            writer.close()
        slots = [self._manifest(slot, tuple(files)) for slot in self._slots if slot not in self._missed]
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
        return Manifest(batch=batch, ingested_at=end, taken_at=begin, gap_until=end, cluster=CLUSTER, gap="the collector did not run")


class Slot:
    """What one slot shows, (G, P) and (G,)."""

    def __init__(self, state: State):
        self.end, self.committed, self.owner = state.end.copy(), state.committed.copy(), state.owner.copy()
        self.generation = state.generation.copy()


def tables_of(plan: Plan, held: list[tuple[int, Slot]]) -> dict[str, pa.Table]:
    """Return the rows of some slots by group and slot."""
    groups, slots, tps = plan.groups, len(held), plan.partitions
    topic_of, names = plan.topic_of(), [plan.topic_names(group) for group in range(plan.groups)]
    slot_of, group_of, tp_of = np.arange(slots), np.arange(groups), np.arange(tps, dtype=np.int32)

    def spread(name: str) -> np.ndarray:
        return np.stack([getattr(one, name) for _, one in held], axis=1).reshape(groups * slots, -1)

    times = pa.array([plan.time(slot) + timedelta(milliseconds=700) for slot, _ in held], SCHEMAS["OFFSETS"].field("taken_at").type)
    batches = [slot_batch(CLUSTER, int(plan.time(slot).timestamp())) for slot, _ in held]
    group_id, member_id = plan.group_names, [f"member-{number}-4b1e" for number in range(plan.members)]

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
        np.repeat(group_of, slots * tps) * plan.topics + np.tile(topic_of, groups * slots), [one for some in names for one in some]
    )
    of_partition = head(tps) | {
        "topic": topic,
        "partition": np.tile(in_topic, groups * slots),
        "member_id": _named(owner.ravel(), member_id),
    }
    offsets = {"begin_offset": np.zeros(end.size, dtype=np.int64), "committed_offset": committed.ravel(), "end_offset": end.ravel()}
    generation = np.repeat(spread("generation").ravel(), plan.members)
    members = {"member_id": _named(np.tile(np.arange(plan.members), groups * slots), member_id), "generation": generation}
    order = {"member_order": np.tile(np.arange(plan.members, dtype=np.int32), groups * slots)}
    topics = [name for group in np.repeat(group_of, slots * plan.members) for name in names[group]]
    subscribed = pa.ListArray.from_arrays(np.arange(0, len(topics) + 1, plan.topics, dtype=np.int32), topics)
    loads = {"member_count": np.full(groups * slots, plan.members), "partition_count": np.full(groups * slots, tps)}
    loads |= {"lag": lag.reshape(-1, tps).sum(axis=1), "unknown_lag_count": np.zeros(groups * slots, dtype=np.int64)}
    return {
        "OFFSETS": _table("OFFSETS", of_partition | offsets),
        "LAG": _table("LAG", of_partition | {"lag": lag, "assignor_lag": lag}),
        "MEMBERS": _table("MEMBERS", head(plan.members) | members | order | {"subscribed": subscribed}),
        "GROUP_LOAD": _table("GROUP_LOAD", head(1) | loads),
    }


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    count = len(columns["batch"])
    schema = pa.schema([field.with_type(_coded(field.type)) for field in SCHEMAS[name]])
    given = {field.name: columns.get(field.name, pa.nulls(count, field.type)) for field in schema}
    arrays = [
        pa.array(given[field.name], field.type) if isinstance(given[field.name], np.ndarray) else given[field.name] for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _named(code: np.ndarray, name: list[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(code.astype(np.int32)), name)


def _coded(type: pa.DataType) -> pa.DataType:
    return pa.dictionary(pa.int32(), pa.string()) if type == pa.string() else type
