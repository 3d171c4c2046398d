"""Regret of one group for a picture: a few hundred slots replayed, or what is stored of a longer replay."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.pictures.regret import Regret, replayed_rows, stretches
from evenkeel.assignors.protocol import of_type
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.result_store import stored_history
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.history.replayed_history import microseconds, replayed
from evenkeel.data.scenarios.stored_groups import group_at


class Sample(NamedTuple):
    """A history at some of its slots, and the stretch of each."""

    history: History
    stretch: np.ndarray


def sampled(history: History, most_cells: int) -> Sample:
    """Return the slots that a picture of the regret shows; `most_cells`: slots x partitions."""
    rows = replayed_rows(history.series, most_cells)
    batch, manifest = (tuple(column[row] for row in rows.tolist()) for column in (history.batch, history.manifest))
    return Sample(history._replace(series=history.series.at(rows), batch=batch, manifest=manifest), stretches(history.series)[rows])


def regret(lake: Place, sample: Sample) -> Regret:
    """Return the owners as they were beside the assignors that the group can use as it is; nothing where there is none.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    history = sample.history
    listed = np.flatnonzero(history.series.is_listed.any(axis=1))
    names = of_type(group_at(lake, history.batch[listed[-1]], history.group_id).group_type, ASSIGNORS) if listed.size else []
    if not names:
        return Regret(np.zeros(0), np.zeros(0, dtype=np.int64), (), np.zeros((0, 0), dtype=np.int64))
    found = _timed(stored_history(lake, "REPLAY", history.cluster, history.group_id))
    if not _covers(found, microseconds(history.series.time[listed]), names):
        found = _timed(replayed(lake, history, names))
    return _regret(sample, found, [CURRENT, *names])


class _Replay(NamedTuple):
    """REPLAY and its times, int64, microseconds since 1970."""

    table: pa.Table
    time: np.ndarray


def _timed(table: pa.Table) -> _Replay:
    return _Replay(table, table["taken_at"].cast(pa.int64()).to_numpy())


def _covers(stored: _Replay, wanted: np.ndarray, names: Sequence[str]) -> bool:
    has = stored.table["assignor"][0].as_py() if stored.time.size else []
    return set(names) <= set(has) and bool(np.isin(wanted, stored.time).all())


def _regret(sample: Sample, replay: _Replay, names: Sequence[str]) -> Regret:
    """Pick the slots of the sample out of a replay; those without members are not in it."""
    times = microseconds(sample.history.series.time)
    kept, _, at = np.intersect1d(times, replay.time, return_indices=True)
    rows = np.searchsorted(times, kept)
    worst = np.full((rows.size, len(names)), UNKNOWN_LAG)
    lists = replay.table.select(["assignor", "max_lag"]).take(at).to_pylist()
    for row, one in enumerate(lists):
        lag = dict(zip(one["assignor"], one["max_lag"], strict=True))
        worst[row] = [UNKNOWN_LAG if lag.get(name) is None else lag[name] for name in names]
    return Regret(sample.history.series.time[rows], sample.stretch[rows], tuple(names), worst)
