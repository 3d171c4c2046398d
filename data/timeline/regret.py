"""Regret: how much lower the worst member lag would have been under another assignor.

It is computed for some slots of a history. A replay has the owners under the other assignor.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.protocol import CURRENT, of_type
from evenkeel.assignors.timeline.replay import (
    Regret,
    replayed_rows,
    stretches,
)
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.lake.history.change_store import stored_history
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.timeline.replayed_history import microseconds, replayed


class Sample(NamedTuple):
    """Some slots of a history; `stretch`: number of the part between two gaps, for each slot."""

    history: History
    stretch: np.ndarray


def sampled(history: History, most_cells: int) -> Sample:
    """Return the slots for which the regret is computed.

    `most_cells`: maximum of slots times partitions.
    """
    rows = replayed_rows(history.series, most_cells)
    batch, manifest = (
        tuple(column[row] for row in rows.tolist()) for column in (history.batch, history.manifest)
    )
    return Sample(
        history._replace(series=history.series.at(rows), batch=batch, manifest=manifest),
        stretches(history.series)[rows],
    )


def regret(lake: Place, sample: Sample, members: ObservedGroup | None = None) -> Regret:
    """Compare the actual owners with the answers of the assignors that the group can use.

    Empty if the group can use no assignor. `members`: as in `replayed`.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    history = sample.history
    listed = np.flatnonzero(history.series.is_listed.any(axis=1))
    names: Sequence[str] = []
    if listed.size:
        last = group_at(lake, history.batch[listed[-1]], history.group_id)
        if members is not None and not last.snapshot.member_count:
            last = members
        names = of_type(last.group_type, ASSIGNORS)
    if not names:
        return Regret(
            np.zeros(0), np.zeros(0, dtype=np.int64), (), np.zeros((0, 0), dtype=np.int64)
        )
    cached = _timed(stored_history(lake, "REPLAY", history.cluster, history.group_id))
    if not _covers(cached, microseconds(history.series.time[listed]), names):
        cached = _timed(replayed(lake, history, names, members))
    return _regret(sample, cached, [CURRENT, *names])


class _Replay(NamedTuple):
    """A table REPLAY, and the times of its rows in microseconds since 1970, int64."""

    table: pa.Table
    time: np.ndarray


def _timed(table: pa.Table) -> _Replay:
    return _Replay(table, table["taken_at"].cast(pa.int64()).to_numpy())


def _covers(stored: _Replay, wanted: np.ndarray, names: Sequence[str]) -> bool:
    has = stored.table["assignor"][0].as_py() if stored.time.size else []
    return set(names) <= set(has) and bool(np.isin(wanted, stored.time).all())


def _regret(sample: Sample, replay: _Replay, names: Sequence[str]) -> Regret:
    """Return the regret at the slots of a sample; slots without members are left out."""
    times = microseconds(sample.history.series.time)
    common_times, _, at = np.intersect1d(times, replay.time, return_indices=True)
    rows = np.searchsorted(times, common_times)
    worst = np.full((rows.size, len(names)), UNKNOWN_LAG)
    lists = replay.table.select(["assignor", "max_lag"]).take(at).to_pylist()
    for row, answers_of_time in enumerate(lists):
        lag = dict(zip(answers_of_time["assignor"], answers_of_time["max_lag"], strict=True))
        worst[row] = [UNKNOWN_LAG if lag.get(name) is None else lag[name] for name in names]
    return Regret(sample.history.series.time[rows], sample.stretch[rows], tuple(names), worst)
