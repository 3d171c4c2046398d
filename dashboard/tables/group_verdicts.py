"""Groups of a cluster with what the snapshots of its collector say of them, those in trouble first."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.tables.transforms.history.axis import Axis

TROUBLE = ("STOP", "STALL", "REWIND", "SLOW")
"""Verdicts in the order of the page."""

_DRAINS = ("drain_low_seconds", "drain_seconds", "drain_high_seconds", "drain_is_never")
_TAKEN = ("verdict_since", "verdict_is_older", "since", "lag_seconds", "lag_seconds_method", "unknown_seconds_count", *_DRAINS, "lags")
_COLUMNS = tuple("is_older" if name == "verdict_is_older" else name for name in _TAKEN)
_WINDOW = 10


def with_verdicts(groups: pa.Table, verdicts: pa.Table, axis: Axis) -> pa.Table:
    """GROUPS, GROUP_VERDICT -> GROUPS with the columns of the verdict, null where no snapshot has the group.

    Adds `verdict_at`; `trouble`, 0 for OK, higher for what comes first; `is_older`, whether the verdict may be older than the slots;
    `slots` of `lags`. `lag_change` is that of the last 10 slots
    where their lag is known. Groups in trouble come first, by verdict and time lag; the others stay in their order.
    """
    place = pc.index_in(groups["group_id"], verdicts["group_id"])
    found = verdicts.select(["taken_at", "lasting_verdict", *_TAKEN]).rename_columns(["verdict_at", "verdict", *_COLUMNS]).take(place)
    rank = pc.fill_null(pc.subtract(len(TROUBLE), pc.index_in(found["verdict"], pa.array(TROUBLE))), 0).cast(pa.int64())
    slots = pa.array([(axis.slot - axis.slot[0]).tolist()], pa.list_(pa.int64()))
    added = {name: found[name] for name in found.column_names} | {
        "trouble": rank,
        "slots": slots.take(pa.array(np.zeros(groups.num_rows, dtype=np.int64))),
        "lag_change": _change(groups, verdicts, axis, place),
    }
    kept = groups.drop_columns([name for name in added if name in groups.column_names])
    for name, column in added.items():
        kept = kept.append_column(name, column)
    return kept.take(_order(kept))


def _change(groups: pa.Table, verdicts: pa.Table, axis: Axis, place: pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return records a minute over the last slots, else since the reading before."""
    flat = pc.list_flatten(verdicts["lags"]).to_numpy(zero_copy_only=False).astype(float)
    lags = flat.reshape(verdicts.num_rows, axis.time.size)[:, -_WINDOW:]
    passed = float(axis.time[-1] - axis.time[-lags.shape[1]]) if lags.size else 0.0
    grown = (lags[:, -1] - lags[:, 0]) * 60 / passed if passed else np.full(verdicts.num_rows, np.nan)
    # A lag that was unknown in part would come back as a jump.
    is_unknown = np.isnan(lags).any(axis=1) | (verdicts["unknown_lag_count"].to_numpy() > 0)
    change = pa.array(np.round(grown), mask=is_unknown | np.isnan(grown)).take(place)
    return pc.coalesce(change, groups["lag_change"].cast(pa.float64())) if "lag_change" in groups.column_names else change


def _order(groups: pa.Table) -> pa.Array:
    trouble = groups["trouble"].to_numpy()
    seconds = np.where(trouble > 0, groups["lag_seconds"].fill_null(-1.0).to_numpy(), 0.0)
    return pa.array(np.lexsort((np.arange(trouble.size), -seconds, -trouble)))
