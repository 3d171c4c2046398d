"""Cells of the group table that snapshots give: verdict, drawn lag, time lag, and when it drains."""

from collections.abc import Mapping
from datetime import datetime
from math import inf
from typing import Any

import pyarrow as pa

from evenkeel.dashboard.tables.sparkline import sparkline
from evenkeel.dashboard.words.drains import SINGLE
from evenkeel.dashboard.words.times import full, local, zone
from evenkeel.data.words.formats import UNKNOWN, at_least, count, duration, exact, span
from evenkeel.data.words.history import METHOD_WORDS
from evenkeel.data.words.verdicts import WORDS

_NONE = "No snapshot that was looked at has this group"


def verdict(row: Mapping[str, Any]) -> dict:
    """Return the verdict with its age, `≥` where it is as old as the snapshots that were looked at; its tip says why."""
    name, since, seen = row["verdict"], row["verdict_since"], row["verdict_at"]
    if name is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    age = at_least(duration((seen - since).total_seconds()), row["is_older"]) if since < seen else ""
    words = WORDS[name]
    tip = f"{name}: {words.reason}. Since {_time(since, seen)}{' or longer' * row['is_older']}, seen until {_time(seen, seen)}."
    return {"text": name, "sign": words.drawing, "note": "" if name == "OK" else age, "tone": words.tone, "tip": tip}


def spark(row: Mapping[str, Any]) -> dict:
    """Return the lag of the last snapshots as a drawing."""
    drawn = sparkline(row["slots"], row["lags"]) if row["lags"] else None
    if drawn is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    known = [lag for lag in row["lags"] if lag is not None]
    passed = duration((row["verdict_at"] - row["since"]).total_seconds())
    title = f"Lag in {count(len(row['lags']), 'snapshot')} of {passed}: {exact(min(known))} to {exact(max(known))}"
    return {"spark": drawn, "title": title}


def drawn_span(groups: pa.Table) -> str:
    """Return over which time the lags are drawn: `last 39 m`."""
    seen = groups.filter(groups["since"].is_valid()).slice(0, 1).select(["since", "verdict_at"]).to_pylist()
    passed = [(row["verdict_at"] - row["since"]).total_seconds() for row in seen]
    return f"last {duration(passed[0])}" if passed and passed[0] > 0 else "last snapshot"


def seconds(row: Mapping[str, Any]) -> dict:
    """Return the time lag of the partition farthest behind, quiet where it is extrapolated."""
    lag, unknown = row["lag_seconds"], row["unknown_seconds_count"]
    if lag is None:
        return {
            "text": UNKNOWN,
            "tone": "quiet",
            "title": _NONE if row["verdict"] is None else "Nothing is committed, or its end offsets did not move",
        }
    if not lag and not unknown:
        return {"text": "0", "tone": "quiet"}
    said = [METHOD_WORDS[row["lag_seconds_method"]]]
    said += [f"unknown for {count(unknown, 'partition')}: no commit, or the end offset did not move"] if unknown else []
    tone = "quiet" if row["lag_seconds_method"] == "extrapolated" else ""
    return {"text": at_least(duration(lag), bool(unknown)), "tone": tone, "title": "; ".join(said)}


def drains(row: Mapping[str, Any]) -> dict:
    """Return between which times the group is likely to be drained; the tip says how many rates are assumed."""
    cell, assumed = _drains(row), row["drain_assumed_count"]
    if not assumed:
        return cell
    rates = "The rate of 1 member is" if assumed == 1 else f"The rates of {count(assumed, 'member')} are"
    return cell | {"title": f"{cell['title']}. {rates} assumed: the group's median"}


def _drains(row: Mapping[str, Any]) -> dict:
    if row["verdict"] is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    if row["drain_is_never"]:
        return {"text": "never", "tone": "warn strong", "title": "More comes in than its members read, or no consumer reads a partition"}
    low, middle, high = row["drain_low_seconds"], row["drain_seconds"], row["drain_high_seconds"]
    if low is None and middle is not None:
        return {"text": f"≈ {duration(middle)}", "title": SINGLE}
    if low is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": "What its members can read was not seen, or too many lags are unknown"}
    if middle is None:
        return {"text": at_least(duration(low), True), "title": "Some lags are unknown"}
    if high == 0:
        return {"text": "0", "tone": "quiet", "title": "It keeps up"}
    title = f"Middle {duration(middle)}; of 200 draws 90 % lie between both ends"
    return {"text": span(low, inf if high is None else high), "title": title}


def _time(time: datetime, seen: datetime) -> str:
    here = local(time)
    return f"{here:%H:%M:%S} {zone(time)}" if here.date() == local(seen).date() else full(time)
