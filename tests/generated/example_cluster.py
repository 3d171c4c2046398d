"""Write the example cluster: a day of generated groups as a collector stores it.

    python -m tests.generated.example_cluster

It replaces the files of `data/lake/example_cluster`; the same seed writes the same rows.
"""

import shutil
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from pathlib import Path
from uuid import UUID

import msgspec
import numpy as np
import pyarrow as pa

from evenkeel.data.group.document import FORMAT, Document
from evenkeel.data.group.document.shape import Leader, Member, Partition, Topic
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import (
    load_by_group,
    load_by_member,
    shares_of_members,
    shares_of_partitions,
    with_lag,
)
from evenkeel.data.group.tables.parsed import ParsedTables, encoded
from evenkeel.data.lake import manifest
from evenkeel.data.lake.example import NAME, PLACE
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.day_rows import DayFile
from evenkeel.data.lake.slots.slot_batches import SCHEMAS, day_batch, manifest_of_day, slot_batch
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.live.reading.tables import parsed_groups
from evenkeel.data.live.reading.waiting import Waiting
from evenkeel.data.rebalances.event import Member as Person
from evenkeel.data.rebalances.event import Rebalance, Trigger
from evenkeel.data.rebalances.store import add_to_lake
from tests.generated.example_groups import DAY, GROUPS, SLOTS, Group, Run

NOW = datetime(2026, 11, 27, 14, 2, tzinfo=UTC)
TABLES = ("OFFSETS", "MEMBERS", "TOPICS", "GROUP_LOAD")
SEED = 20_261_127

_STAIR = 10
"""Minutes between two deletions of segments."""


class _Consumer:
    """One member over the day: its ids by slot, none while it is not there."""

    def __init__(self, group: Group, number: int, rng: np.random.Generator):
        self.client_id = f"{group.name}-{number + 1}"
        self.host = f"/10.20.{number + 3}.{GROUPS.index(group) + 11}"
        starts = [0, *sorted(DAY - each.at for each in group.restarts if each.member == number)]
        away = [each for each in group.absences if each.member == number]
        starts += [DAY - each.last + 1 for each in away if each.last]
        ids = [f"{self.client_id}-{UUID(bytes=rng.bytes(16), version=4)}" for _ in starts]
        self.member_id: list[str | None] = [
            ids[max(place for place, start in enumerate(starts) if start <= slot)]
            for slot in range(SLOTS)
        ]
        for each in away:
            for slot in range(DAY - each.first, DAY - each.last + 1):
                self.member_id[slot] = None


class Day:
    """The day of one group: documents of its slots and its rebalances."""

    def __init__(self, group: Group, rng: np.random.Generator):
        self.group = group
        self.run = Run.of(group.rate, sum(group.topics.values()))
        group.story(self.run)
        self.end, self.begin, self.committed = _offsets(group, self.run, rng)
        self.consumers = [_Consumer(group, number, rng) for number in range(group.members)]
        ids = list(zip(*(each.member_id for each in self.consumers), strict=True))
        self._changes = np.array([False, *(now != was for was, now in pairwise(ids))])
        self._generation = 40 + np.cumsum(self._changes)

    def rebalances(self) -> list[Rebalance]:
        """Return one for each slot whose members differ from those before."""
        return [self._rebalance(slot) for slot in np.flatnonzero(self._changes).tolist()]

    def stable(self, slot: int) -> dict[tuple[str, int], int]:
        """Return the last stable offsets that a collector asks for."""
        return {
            place: int(self.committed[slot, tp])
            for tp, place in enumerate(self._places())
            if self.run.is_stable_end[slot, tp]
        }

    def _places(self) -> list[tuple[str, int]]:
        return [
            (name, number) for name, size in self.group.topics.items() for number in range(size)
        ]

    def document(self, slot: int) -> Document:
        group, present = self.group, [each for each in self.consumers if each.member_id[slot]]
        is_classic = group.type == "classic"
        state = "Stable" if present else "Empty"
        generation = int(self._generation[slot])
        return Document(
            format=FORMAT,
            group_id=group.name,
            taken_at=_time(slot),
            type=group.type,
            protocol_type="consumer",
            state="PreparingRebalance" if DAY - slot <= group.prepares else state,
            assignor=group.assignor if present else None,
            group_epoch=None if is_classic else generation,
            assignment_epoch=None if is_classic else generation,
            leader=Leader("java", certain=True) if is_classic and present else None,
            topics=self._topics(slot),
            members=self._members(slot, present),
        )

    def _topics(self, slot: int) -> list[Topic]:
        parts = [
            Partition(
                int(self.begin[slot, tp]) if self.run.has_end[slot, tp] else None,
                int(self.end[slot, tp]) if self.run.has_end[slot, tp] else None,
                int(self.committed[slot, tp]) if self.run.has_commit[slot, tp] else None,
            )
            for tp in range(self.end.shape[1])
        ]
        rest = iter(parts)
        return [
            Topic(name, [next(rest) for _ in range(size)])
            for name, size in self.group.topics.items()
        ]

    def _members(self, slot: int, present: list[_Consumer]) -> list[Member]:
        group = self.group
        subscribed = list(group.topics)
        if group.subscribed and not self.run.is_owned[slot].all():
            subscribed = list(group.subscribed)
        owned = _range(group, len(present), self.run.is_owned[slot])
        is_classic, generation = group.type == "classic", int(self._generation[slot])
        return [
            Member(
                member_id=consumer.member_id[slot] or "",
                subscribed=subscribed,
                client_id=consumer.client_id,
                host=consumer.host,
                owned=owned[place],
                generation=generation if is_classic else None,
                epoch=None if is_classic else generation,
                protocol=None if is_classic else "consumer",
                # Assignments of Java's own assignors have no user data.
                assignment_user_data=0 if is_classic else None,
            )
            for place, consumer in enumerate(present)
        ]

    def _rebalance(self, slot: int) -> Rebalance:
        at = round(_time(slot).timestamp() * 1000) - 30_000
        before, ids = ([each.member_id[row] for each in self.consumers] for row in (slot - 1, slot))
        changed = [place for place, name in enumerate(ids) if name != before[place]]
        left = [self._person(place, before[place]) for place in changed if before[place]]
        came = [self._person(place, ids[place]) for place in changed if ids[place]]
        # A broker tells a restart as a member that left and one of the same client that joined.
        went = "member_left" if came else "session_timeout"
        triggers = [
            *(Trigger(went, at, "generated", member) for member in left),
            *(Trigger("member_joined", at + 3_000, "generated", member) for member in came),
        ]
        return Rebalance(
            self.group.name,
            "classic",
            int(self._generation[slot]),
            generation_before=int(self._generation[slot]) - 1,
            start=at,
            joined=at + 3_100,
            assigned=at + 3_180,
            completed=True,
            cause=triggers[0].cause,
            triggers=triggers,
            members_joined=came,
            members_left=left,
            members=sum(name is not None for name in ids),
            static_members=0,
            assignor=self.group.assignor,
        )

    def _person(self, place: int, member_id: str | None) -> Person:
        return Person(member_id or "", self.consumers[place].client_id)


def _time(slot: int) -> datetime:
    return NOW - timedelta(minutes=DAY - slot)


def _offsets(
    group: Group, run: Run, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return end, begin and committed offsets, int64 (S, P)."""
    hour = np.arange(SLOTS)[:, None] / 60
    daily = 1 + 0.25 * np.sin((hour - 4) * np.pi / 12)
    arrived = np.rint(run.rate * 60 * daily * rng.uniform(0.97, 1.03, run.rate.shape))
    start = 0 if group.committed else 250_000 * int(rng.integers(8, 60))
    end = start + np.cumsum(arrived, axis=0).astype(np.int64)
    committed = np.empty_like(end)
    position = end[0] - (0 if np.isinf(run.pace[0]).all() else 700)
    on_its_way = rng.integers(0, np.maximum(run.rate * 2, 1).astype(np.int64) + 1)
    for slot in range(SLOTS):
        pace = np.where(np.isinf(run.pace[slot]), 1e12, run.pace[slot] * 60 * daily[slot])
        ahead = position + np.rint(pace).astype(np.int64)
        # A member that cannot keep up has read all that waits only when it is at the end.
        position = np.minimum(np.maximum(end[slot] - on_its_way[slot], position), ahead)
        position = position - run.back[slot].astype(np.int64)
        committed[slot] = position
    if group.committed:
        committed[:] = group.committed
    return end, _begin(end, run), committed


def _begin(end: np.ndarray, run: Run) -> np.ndarray:
    """Return begin offsets: segments are deleted every ten minutes."""
    slot = np.arange(SLOTS)
    stair = slot // _STAIR * _STAIR
    oldest = np.maximum(stair - int(run.begin.max()), 0)
    whole = np.zeros_like(end) + np.maximum(end[0] // 250_000 - 4, 0) * 250_000
    return end[oldest] if run.begin.any() else whole


def _range(group: Group, count: int, is_owned: np.ndarray) -> list[dict[str, list[int]]]:
    """Return the partitions of each member as range gives them."""
    owned: list[dict[str, list[int]]] = [{} for _ in range(count)]
    first = 0
    for name, size in group.topics.items():
        numbers = np.arange(size)
        for place, part in enumerate(np.array_split(numbers, count) if count else ()):
            held = [number for number in part.tolist() if is_owned[first + number]]
            if held:
                owned[place][name] = held
        first += size
    return owned


def days_of(seed: int = SEED) -> list[Day]:
    """Return the day of each group."""
    rng = np.random.default_rng(seed)
    return [Day(group, rng) for group in GROUPS]


def write(lake: Place, seed: int = SEED) -> None:
    """Write slots and rebalances of the cluster."""
    days = days_of(seed)
    for day, slots in groupby(range(SLOTS), lambda slot: _time(slot).date()):
        batch = day_batch(NAME, day)
        files = {name: f"{name}/{batch}/0.parquet" for name in TABLES}
        writers = {name: _writer(lake, name, file) for name, file in files.items()}
        manifests = []
        for slot in slots:
            one = _manifest(slot)
            for name, rows in tables_of(days, slot).items():
                of_slot = pa.array([one.batch] * rows.num_rows, pa.string())
                writers[name].add(rows.append_column(SCHEMAS[name].field("batch"), of_slot))
            manifests.append(one)
        for writer in writers.values():
            writer.close()
        whole = manifest_of_day(
            batch, manifests, {name: (file,) for name, file in files.items()}, {}
        )
        manifest.publish(lake, _dated(whole))
    add_to_lake(lake, [each for day in days for each in day.rebalances()], NAME)


def _writer(lake: Place, name: str, file: str) -> DayFile:
    path = Path(lake.url) / file
    path.parent.mkdir(parents=True, exist_ok=True)
    return DayFile(path, SCHEMAS[name])


def tables_of(days: list[Day], slot: int) -> dict[str, pa.Table]:
    """Return the rows of a slot by table."""
    live = [
        (place, LiveGroup(day.group.name, day.document(slot), [])) for place, day in enumerate(days)
    ]
    stable = {place: at for day in days for place, at in day.stable(slot).items()}
    parsed = parsed_groups(NAME, live, Waiting(stable, _settings(), None))
    return {
        "OFFSETS": parsed.offsets,
        "MEMBERS": parsed.members,
        "TOPICS": parsed.topics,
        "GROUP_LOAD": _load(parsed),
    }


def _settings() -> dict[str, dict[str, str | int]]:
    return {
        topic: {
            "cleanup_policy": "delete",
            "retention_ms": group.retention * 60_000,
            "retention_bytes": -1,
            "segment_ms": _STAIR * 60_000,
            "segment_bytes": 1 << 30,
        }
        for group in GROUPS
        for topic in group.topics
    }


def _load(parsed: ParsedTables) -> pa.Table:
    lag = encoded(with_lag(parsed.offsets))
    shares = pa.concat_tables([shares_of_partitions(lag), shares_of_members(parsed.members)])
    return load_by_group(load_by_member(shares)).cast(schemas.GROUP_LOAD)


def _manifest(slot: int) -> Manifest:
    at = _time(slot)
    return Manifest(
        batch=slot_batch(NAME, int(at.timestamp())),
        ingested_at=at,
        taken_at=at,
        tables=dict.fromkeys(TABLES, ("",)),
        cluster=NAME,
    )


def _dated(one: Manifest) -> Manifest:
    return msgspec.structs.replace(one, ingested_at=one.slots[-1].ingested_at)


if __name__ == "__main__":
    shutil.rmtree(PLACE.url, ignore_errors=True)
    write(PLACE)
