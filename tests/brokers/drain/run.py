"""One group on a real broker: how long it is told to take, and how long it takes."""

import time
from typing import NamedTuple

import numpy as np
from confluent_kafka.admin import AdminClient

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.drain import Band
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import rates
from evenkeel.assignors.timeline.draws import draws
from evenkeel.assignors.timeline.time_lag import INTERPOLATED, time_lag
from evenkeel.data.scenarios.drains import Drains
from tests.assignors.groups import group
from tests.brokers.commits import commit
from tests.brokers.drain.readers import Readers
from tests.brokers.drain.slots import Slot, Slots
from tests.brokers.drain.writer import Writer
from tests.brokers.topics import create_topic

NAMES = ("reader-0", "reader-1", "reader-2")
CAPACITY, COMES = 300.0, 5.0
"""Records/s: of each member, into each partition."""

BEHIND = np.array([3000] * 4 + [1000] * 8)
SLOTS, SLOT_SECONDS, LIMIT_SECONDS = 41, 0.25, 180


class Run(NamedTuple):
    """Seconds from the prediction, without `pause` in which nothing was read because of a switch:
    the band, and what was seen.

    `owners_as_told`: whether the broker's members got what was told. `time_lag_errors`: of
    interpolated time lags (N,).
    """

    assignor: str
    predicted: Band
    seen: float
    pause: float
    owners_as_told: bool
    time_lag_errors: np.ndarray


def one_run(bootstrap: str, topic: str, assignor: str) -> Run:
    """Let a group read under `range`, tell when it drains with another assignor's owners, switch by
    a restart, and watch.
    """
    with written(bootstrap, topic) as writer, Readers(bootstrap, topic, NAMES, CAPACITY) as readers:
        slots = history(bootstrap, topic, readers, assignor)
        series, stopped, pause = slots.series(), slots.read[-1], 0.0
        drawn, comes = (
            draws(series, np.random.default_rng(0)),
            rates(series, np.array([series.slot_count - 1])).incoming[0],
        )
        told = ASSIGNORS[assignor]().assign(snapshot(topic, stopped))
        if assignor != "range":
            stopped, pause = _switch(readers, slots)
        # How long the switch takes is seen; what comes in meanwhile is told, by the rates from
        # before.
        begin = stopped._replace(end=stopped.end + np.rint(comes * pause).astype(np.int64))
        predicted = Drains(snapshot(topic, begin), series, drawn).of(told).band
        seen = _drained(slots) - stopped.time - pause
        return Run(
            assignor,
            predicted,
            seen,
            pause,
            same_owners(told.owner, slots.read[-1].owner),
            _time_lag_errors(series, writer),
        )


def history(bootstrap: str, topic: str, readers: Readers, assignor: str = "range") -> Slots:
    """Start members under `range`, and load those with another assignor; return the first slots in
    which all of them read.
    """
    slots = Slots(bootstrap, topic, BEHIND.size, NAMES, SLOT_SECONDS)
    readers.load("range")
    readers.start()
    deadline = time.monotonic() + LIMIT_SECONDS
    while not _all_read(slots):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{topic}: the members do not read after {LIMIT_SECONDS} s")
    if assignor != "range":
        readers.load(assignor)
    slots.read.clear()
    for _ in range(SLOTS):
        slots.next()
    return slots


def snapshot(topic: str, slot: Slot) -> GroupSnapshot:
    """Return the group at a slot, of members that claim nothing: they have just been started."""
    columns = {
        "begin": [0] * BEHIND.size,
        "end": slot.end.tolist(),
        "committed": slot.committed.tolist(),
    }
    return group({topic: BEHIND.size}, dict.fromkeys(NAMES, topic), **columns)


def same_owners(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell whether the same partitions are together; ids of members are random, and decide who gets
    which.
    """
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return (
        len(pairs) == len(set(one.tolist())) == len(set(other.tolist())) and UNASSIGNED not in other
    )


def written(bootstrap: str, topic: str) -> Writer:
    """Return a topic with a backlog, and the writer that goes on with it."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    create_topic(admin, topic, BEHIND.size)
    # A broker that has just started answers for groups only after a while.
    commit(admin, topic, {(topic, number): 0 for number in range(BEHIND.size)})
    return Writer(bootstrap, topic, BEHIND, COMES)


def _all_read(slots: Slots) -> bool:
    slot = slots.next()
    read = np.bincount(slot.owner + 1, slot.committed, minlength=len(NAMES) + 1)[1:]
    return UNASSIGNED not in slot.owner and bool((read > 0).all())


def _switch(readers: Readers, slots: Slots) -> tuple[Slot, float]:
    """Stop the members and let those that are loaded join; return what was left, and for how many
    seconds nothing was read.
    """
    readers.stop()
    stopped = slots.next()
    readers.start()
    deadline = time.monotonic() + LIMIT_SECONDS
    while (slots.next().committed == stopped.committed).all():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the members do not read {LIMIT_SECONDS} s after the switch")
    return stopped, slots.read[-2].time - stopped.time


def _drained(slots: Slots) -> float:
    """Return when every partition was read to where its end was one slot earlier: between the last
    two slots.
    """
    deadline = time.monotonic() + LIMIT_SECONDS
    while (slots.read[-1].committed < slots.read[-2].end).any():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not drained after {LIMIT_SECONDS} s")
        slots.next()
    return (slots.read[-2].time + slots.read[-1].time) / 2


def _time_lag_errors(series: Series, writer: Writer) -> np.ndarray:
    """Return interpolated time lags less those by the records' own timestamps."""
    found = time_lag(series)
    rows, tps = np.nonzero(found.method == INTERPOLATED)
    written = [
        writer.times[tp][series.committed_offset[row, tp]]
        for row, tp in zip(rows, tps, strict=True)
    ]
    return found.seconds[rows, tps] - (series.time[rows] - np.array(written))
