"""The numbers above the groups of a cluster: lag and its change, the group with the most, rebalances, unknown lags."""

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.history.verdicts import trouble
from evenkeel.dashboard.widgets.parts.kpi_strip import Kpi
from evenkeel.data.tables.lag import lag_is_whole, lag_is_zero
from evenkeel.data.words.formats import UNKNOWN, at_least, compact_sum, count, duration, exact, percent, signed
from evenkeel.data.words.names import elided

_AT_REST = pa.array(["Stable", "Empty", "Dead"])


def kpis(groups: pa.Table) -> list[Kpi]:
    """Return the cells of the strip; `groups` come worst first. Verdicts and time lags are shown where there are some."""
    lag, partial = total_lag(groups["lag"].drop_null().to_numpy()), not pc.all(lag_is_whole(groups)).as_py()
    moving = pc.sum(pc.invert(pc.is_in(groups["state"].drop_null(), _AT_REST))).as_py() or 0
    unknown, partitions = (pc.sum(groups[column]).as_py() for column in ("unknown_lag_count", "partition_count"))
    unknown_share, hidden = percent(unknown / partitions if partitions else None), groups["partition_count"].null_count
    total = Kpi("Total lag", compact_sum(lag, partial), *_change(groups))
    is_judged = "trouble" in groups.column_names
    return [
        Kpi("Groups", exact(groups.num_rows), f"{exact(pc.sum(lag_is_zero(groups)).as_py())} without lag"),
        *([_in_trouble(groups), total, _time_lag(groups)] if is_judged else [total, _largest(groups, partial)]),
        Kpi("Rebalancing", exact(moving), "worse" * bool(moving) and "owners may change", "worse" * bool(moving)),
        Kpi("Lag unknown", unknown_share, _of(partitions, hidden), "worse" * bool(unknown or hidden)),
    ]


def _largest(groups: pa.Table, partial: bool) -> Kpi:
    first, most = groups["group_id"][0].as_py(), groups["lag"][0].as_py()
    return Kpi("Largest lag", compact_sum(most, partial), elided(first, 30) if most else "")


def _in_trouble(groups: pa.Table) -> Kpi:
    counts = {one["values"]: one["counts"] for one in pc.value_counts(groups["verdict"].drop_null()).to_pylist()}
    found = [f"{exact(counts[name])} {name}" for name in trouble() if counts.get(name)]
    unseen = groups["verdict"].null_count
    note = " · ".join([*found, *([f"{exact(unseen)} unknown"] if unseen else [])])
    return Kpi("In trouble", exact(sum(counts.get(name, 0) for name in trouble())), note, "bad" if found else "")


def _time_lag(groups: pa.Table) -> Kpi:
    place = pc.index(groups["lag_seconds"], pc.max(groups["lag_seconds"])).as_py()
    worst = groups["lag_seconds"][place].as_py() if place >= 0 else None
    unknown = pc.sum(groups["unknown_seconds_count"]).as_py()
    note = [elided(groups["group_id"][place].as_py(), 30)] * bool(worst) + [f"{exact(unknown)} unknown"] * bool(unknown)
    is_guessed = worst and groups["lag_seconds_method"][place].as_py() == "extrapolated"
    text = UNKNOWN if worst is None else at_least(duration(worst), bool(unknown))
    return Kpi("Worst time lag", text, " · ".join(note), "guessed" if is_guessed else "")


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
