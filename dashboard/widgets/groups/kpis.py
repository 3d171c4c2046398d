"""The numbers above the groups of a cluster: lag and its change, the group with the most, rebalances, unknown lags."""

import pyarrow as pa
import pyarrow.compute as pc

from assignors.group.lag import total_lag
from dashboard.widgets.parts.kpi_strip import Kpi
from dashboard.words.formats import compact_sum, count, exact, percent, signed
from dashboard.words.names import elided
from data.tables.transforms.group_lag import lag_is_whole, lag_is_zero

_AT_REST = pa.array(["Stable", "Empty", "Dead"])


def kpis(groups: pa.Table) -> list[Kpi]:
    """Return the cells of the strip; `groups` come worst first."""
    lag, partial = total_lag(groups["lag"].drop_null().to_numpy()), not pc.all(lag_is_whole(groups)).as_py()
    first, most = groups["group_id"][0].as_py(), groups["lag"][0].as_py()
    moving = pc.sum(pc.invert(pc.is_in(groups["state"].drop_null(), _AT_REST))).as_py() or 0
    unknown, partitions = (pc.sum(groups[column]).as_py() for column in ("unknown_lag_count", "partition_count"))
    unknown_share, hidden = percent(unknown / partitions if partitions else None), groups["partition_count"].null_count
    return [
        Kpi("Groups", exact(groups.num_rows), f"{exact(pc.sum(lag_is_zero(groups)).as_py())} without lag"),
        Kpi("Total lag", compact_sum(lag, partial), *_change(groups)),
        Kpi("Largest lag", compact_sum(most, partial), elided(first, 30) if most else ""),
        Kpi("Rebalancing", exact(moving), "worse" * bool(moving) and "owners may change", "worse" * bool(moving)),
        Kpi("Lag unknown", unknown_share, _of(partitions, hidden), "worse" * bool(unknown or hidden)),
    ]


def _of(partitions: int | None, hidden: int) -> str:
    return f"of {exact(partitions)} partitions" + (f", {exact(hidden)} groups hidden" if hidden else "")


def _change(groups: pa.Table) -> tuple[str, str]:
    changes = groups["lag_change"].drop_null() if "lag_change" in groups.column_names else ()
    if not len(changes):
        return "", ""
    change = pc.sum(changes).as_py()
    if len(changes) < groups.num_rows:
        # The changes of the other groups may turn the sign: neither better nor worse.
        return f"{signed(change)} a minute in {count(len(changes), 'group')}, unknown in the others", ""
    return f"{signed(change)} a minute", "worse" if change > 0 else "better" if change < 0 else ""
