"""Groups of a cluster with what the snapshots of its collector say of them, those in trouble first."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.tables.series import Axis

_DRAINS = ("drain_low_seconds", "drain_seconds", "drain_high_seconds", "drain_is_never", "drain_assumed_count")
_TAKEN = ("verdict_since", "verdict_is_older", "since", "lag_seconds", "lag_seconds_method", "unknown_seconds_count", *_DRAINS, "lags")
_COLUMNS = tuple("is_older" if name == "verdict_is_older" else name for name in _TAKEN)


def with_verdicts(groups: pa.Table, verdicts: pa.Table, axis: Axis) -> pa.Table:
    """GROUPS, GROUP_VERDICT -> GROUPS with the columns of the verdict, null where no snapshot has the group.

    Adds `verdict_at`; `trouble`, 0 for OK, higher for what comes first; `is_older`, whether the verdict may be older than the slots;
    `slots` of `lags`. `lag_change` is rate in less rate out, as on the Timeline, where every lag is known. Groups in trouble come first, by
    verdict and time lag; the others stay in their order.
    """
    place = pc.index_in(groups["group_id"], verdicts["group_id"])
    found = verdicts.select(["taken_at", "lasting_verdict", *_TAKEN]).rename_columns(["verdict_at", "verdict", *_COLUMNS]).take(place)
    rank = pc.fill_null(pc.index_in(found["verdict"], pa.array(VERDICTS)), 0).cast(pa.int64())
    slots = pa.array([(axis.slot - axis.slot[0]).tolist()], pa.list_(pa.int64()))
    added = {name: found[name] for name in found.column_names} | {
        "trouble": rank,
        "slots": slots.take(pa.array(np.zeros(groups.num_rows, dtype=np.int64))),
        "lag_change": _change(groups, verdicts, place),
    }
    kept = groups.drop_columns([name for name in added if name in groups.column_names])
    for name, column in added.items():
        kept = kept.append_column(name, column)
    return kept.take(_order(kept))


def _change(groups: pa.Table, verdicts: pa.Table, place: pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return records a minute over the window of rates, else since the reading before."""
    grown = 60 * pc.subtract(verdicts["in_rate"], verdicts["out_rate"]).to_numpy()
    # Rates are sums of those that are known.
    is_partial = verdicts["unknown_lag_count"].to_numpy() > 0
    change = pa.array(np.round(grown), mask=is_partial | np.isnan(grown)).take(place)
    return pc.coalesce(change, groups["lag_change"].cast(pa.float64())) if "lag_change" in groups.column_names else change


def _order(groups: pa.Table) -> pa.Array:
    trouble = groups["trouble"].to_numpy()
    seconds = np.where(trouble > 0, groups["lag_seconds"].fill_null(-1.0).to_numpy(), 0.0)
    return pa.array(np.lexsort((np.arange(trouble.size), -seconds, -trouble)))
