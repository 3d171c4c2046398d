"""Figures of an episode: its partitions and members, its code and its numbers at the last slot."""

from collections.abc import Callable

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.episodes.forecast import age
from evenkeel.assignors.episodes.judgement import CAUSES, Judgement
from evenkeel.assignors.episodes.progress import empty_since
from evenkeel.assignors.episodes.settings import MEANINGS, Rule
from evenkeel.assignors.group.snapshot import UNKNOWN

_NAMES_OWNERS = (Rule.LOST, Rule.LOSES, Rule.STALL, Rule.NEVER_DRAINS)

Figures = dict[str, object]


def subject_of(
    judgement: Judgement, rule: Rule, items: np.ndarray, first: int, last: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the partitions with the problem, and the names of the members with the problem."""
    if rule == Rule.UNSTABLE:
        return (), tuple(judgement.unstable.name[item] for item in items)
    if rule == Rule.REBALANCE_BURST:
        return (), ()
    holds = judgement.holdings[rule].holds[first : last + 1]
    if rule == Rule.IDLE_MEMBERS:
        begins = first + np.argmax(holds[:, items], axis=0)
        names = [
            judgement.evidence.names_at(row)[item]
            for row, item in zip(begins.tolist(), items.tolist(), strict=True)
        ]
        return (), tuple(dict.fromkeys(names))
    tps = tuple(items.tolist())
    if rule not in _NAMES_OWNERS:
        return tps, ()
    return tps, _owners(judgement, holds[:, items], items, first)


def _owners(
    judgement: Judgement, holds: np.ndarray, items: np.ndarray, first: int
) -> tuple[str, ...]:
    lasting = _lasting(judgement, holds, items, first)
    owner = judgement.evidence.series.owner[first : first + holds.shape[0]][:, items]
    pairs = np.where(lasting if lasting.any() else holds, owner, UNASSIGNED)
    members, places = np.unique(pairs, return_index=True)
    row_of = {
        int(member): first + int(place) // items.size
        for member, place in zip(members, places, strict=True)
        if member != UNASSIGNED
    }
    names = [judgement.evidence.names_at(row)[member] for member, row in row_of.items()]
    return tuple(sorted(dict.fromkeys(names)))


def _lasting(judgement: Judgement, holds: np.ndarray, items: np.ndarray, first: int) -> np.ndarray:
    """Return, for each slot and partition, whether the rule applies and the owner has had the
    partition for a whole window. A newer owner perhaps had no time to read.
    """
    owner = judgement.evidence.series.owner[:, items]
    rows = np.arange(first, first + holds.shape[0])
    now, before = owner[rows], owner[np.maximum(rows - WINDOW, 0)]
    return holds & (now == before) & (now != UNASSIGNED)


def code_of(
    judgement: Judgement,
    rule: Rule,
    tps: tuple[int, ...],
    items: np.ndarray,
    first: int,
    last: int,
) -> Code:
    """Return the code under which a rule is reported at the last slot of an episode."""
    evidence = judgement.evidence
    if rule == Rule.STOP:
        return Code.UNREAD if evidence.has_members[last] else Code.DOWN
    if rule != Rule.STALL:
        return MEANINGS[rule].codes[0]
    if evidence.lacks_owners[last]:
        return Code.STUCK
    holding = judgement.holdings[rule]
    lasting = _lasting(judgement, holding.holds[first : last + 1][:, items], items, first)
    rows = np.flatnonzero(lasting.any(axis=1))
    row = first + int(rows[-1]) if rows.size else last
    owner = evidence.series.owner[row]
    owners = np.unique(owner[list(tps)])
    theirs = np.isin(owner, owners[owners != UNASSIGNED])
    stopped = holding.since[row, items][holding.holds[row, items]].max(initial=-np.inf)
    begin = max(row + 1 - WINDOW, int(np.searchsorted(evidence.series.time, stopped)))
    committed = evidence.series.committed_offset[begin : row + 1][:, theirs]
    moves = np.diff(committed, axis=0) > 0
    known = committed[:-1] != UNKNOWN
    return Code.STUCK if (moves & known).any() else Code.STALLED


def because_of(
    judgement: Judgement, rule: Rule, items: np.ndarray, first: int, last: int
) -> Rule | None:
    """Return the rule that caused a loss of records. If several rules applied during the loss,
    return the latest.
    """
    if rule not in (Rule.LOST, Rule.LOSES):
        return None
    holds = {
        cause: judgement.causes[cause].holds[first : last + 1][:, items].any(axis=1)
        for cause in CAUSES
    }
    rows = {cause: int(np.flatnonzero(each)[-1]) for cause, each in holds.items() if each.any()}
    return max(rows, key=lambda cause: rows[cause]) if rows else None


def figures_of(
    judgement: Judgement, rule: Rule, items: np.ndarray, first: int, last: int
) -> tuple[Figures, tuple[str, ...]]:
    """Return (figures, assumptions on which the figures depend). A figure is None if unknown."""
    figures = dict.fromkeys(MEANINGS[rule].figures)
    assumed: list[str] = []
    if rule in _FIGURES:
        figures |= _FIGURES[rule](judgement, items, first, last)
    lag = _known(judgement.evidence.series.lag[last, items]) if "lag" in figures else np.zeros(0)
    if lag.size:
        figures["lag"] = int(lag.sum())
    if "lag_seconds" in figures:
        figures["lag_seconds"] = _oldest(judgement, items, last)
    if "partitions" in figures:
        figures["partitions"] = int(items.size)
    if rule == Rule.LOSES and judgement.forecast.is_guess[last, items].any():
        assumed.append("the time of the next record is before the first reading")
    if rule == Rule.STALL and (judgement.evidence.stable_end[last, items] == UNKNOWN).all():
        assumed.append("whether a transaction is open")
    if rule == Rule.STALL and judgement.evidence.lacks_owners[last]:
        assumed.append("owners")
    if rule == Rule.STOP and _may_have_left(judgement.evidence, items, last):
        assumed.append("whether a member subscribes")
    if rule in (Rule.STOP, Rule.STALL) and _may_be_deleted(judgement, items, last):
        assumed.append("whether segments are deleted")
    return figures, tuple(assumed)


def _may_have_left(evidence: Evidence, items: np.ndarray, last: int) -> bool:
    is_known = evidence.knows_subscriptions[last] or not evidence.has_members[last]
    return not is_known and not evidence.is_subscribed[last, items].all()


def _may_be_deleted(judgement: Judgement, items: np.ndarray, last: int) -> bool:
    """Return whether unread records reach their retention soon, but the next deletion cannot be
    forecast because too few deletions were seen.
    """
    forecast, now = judgement.forecast, judgement.evidence.series.time[last]
    near = forecast.not_before[last, items] - now < judgement.settings.loses_within
    is_open = np.isnan(forecast.expected[last, items]) & ~judgement.loses.holds[last, items]
    return bool((near & is_open).any())


def _known(values: np.ndarray) -> np.ndarray:
    return values[values >= 0]


def _oldest(judgement: Judgement, items: np.ndarray, last: int) -> float | None:
    is_wanted = np.zeros(judgement.evidence.series.lag.shape, dtype=bool)
    is_wanted[last, items] = True
    return _extreme(age(judgement.evidence, is_wanted).seconds[last, items], np.max)


def _extreme(values: np.ndarray, pick: Callable) -> float | None:
    known = values[~np.isnan(values)]
    return float(pick(known)) if known.size else None


def _lost(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    losses, rows = judgement.losses, slice(first, last + 1)
    # The first jump is at the slot of `since`. This is never before the first slot, so the jump is
    # among these rows.
    skipped = losses.skipped[rows][:, items].sum()
    below = losses.below[rows][:, items].max(axis=0).sum()
    return {"records": int(skipped + below)}


def _loses(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    forecast, in_memory = judgement.forecast, judgement.losses.in_memory[last, items]
    now = float(judgement.evidence.series.time[last])
    expected = _extreme(forecast.expected[last, items], np.min)
    band = None
    if expected is not None:
        place = items[int(np.nanargmin(forecast.expected[last, items]))]
        width = float(forecast.band[last, place])
        band = [expected - width, expected + width]
    if (in_memory > 0).any():
        expected, band = now, [now, now]
    return {
        "expected": expected,
        "band": band,
        "not_before": _extreme(forecast.not_before[last, items], np.min),
        "latest": _extreme(forecast.latest[last, items], np.min),
        "in_memory": int(in_memory.sum()) or None,
    }


def _stop(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    series, uncommitted = judgement.evidence.series, judgement.progress.is_uncommitted[last, items]
    tps = items[uncommitted]
    unread = series.end_offset[last, tps] - np.maximum(series.begin_offset[last, tps], 0)
    return {
        "lag_at_most": int(unread.sum()) if tps.size else None,
        "not_before": _extreme(judgement.forecast.not_before[last, items], np.min),
    }


def _blocked(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    stable = judgement.evidence.stable_end[: last + 1, items[0]]
    known = _known(stable)
    return {"lso": int(known[-1]) if known.size else None}


def _stall(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    series = judgement.evidence.series
    if judgement.evidence.lacks_owners[last]:
        return {}
    since = []
    for item in items.tolist():
        owner = series.owner[: last + 1, item]
        others = np.flatnonzero(owner != owner[-1])
        since.append(float(series.time[others[-1] + 1 if others.size else 0]))
    return {"owner_since": min(since)}


def _rewind(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    committed = judgement.evidence.series.committed_offset[max(first - 1, 0) : last + 1][:, items]
    steps = np.diff(committed, axis=0)
    known = (committed[1:] != UNKNOWN) & (committed[:-1] != UNKNOWN)
    return {"records": int(-steps[known & (steps < 0)].sum())}


def _never_drains(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    missing = judgement.evidence.observed.at_slots(judgement.slow.missing, 0.0)
    holds = judgement.never_drains.holds[first : last + 1, items]
    # The last slot at which the rule applies may differ between partitions.
    rows = last - np.argmax(holds[::-1], axis=0)
    return {"missing": round(float(missing[rows, items].sum()), 3)}


def _behind(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    return {"slo": judgement.settings.slo}


def _unstable(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    unstable = judgement.unstable
    return {
        "restarts": int(unstable.count[last, items].max()),
        "pace": float(unstable.pace[last, items].max()) or None,
    }


def _burst(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    return {"count": int(judgement.bursts[2][first : last + 1].max())}


def _unknown(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    no_leader = judgement.evidence.has_no_leader[last, items].all()
    return {"partitions": int(items.size), "why": "no leader" if no_leader else "no answer"}


def _hot(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    _, rate, times = judgement.hot
    return {
        "rate": round(float(rate[last, items].max()), 3),
        "times": _extreme(np.round(times[last, items], 2), np.max),
    }


def _idle(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    return {"count": int(judgement.holdings[Rule.IDLE_MEMBERS].holds[last].sum())}


def _forgotten(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    since, is_least = empty_since(judgement.evidence)
    return {"last_member_seen": None if is_least[last] else float(since[last])}


def _left(judgement: Judgement, items: np.ndarray, first: int, last: int) -> Figures:
    return {"left_lag": int(_known(judgement.evidence.series.lag[last, items]).sum())}


_FIGURES: dict[Rule, Callable[[Judgement, np.ndarray, int, int], Figures]] = {
    Rule.LOST: _lost,
    Rule.LOSES: _loses,
    Rule.STOP: _stop,
    Rule.BLOCKED: _blocked,
    Rule.STALL: _stall,
    Rule.REWIND: _rewind,
    Rule.NEVER_DRAINS: _never_drains,
    Rule.BEHIND: _behind,
    Rule.UNSTABLE: _unstable,
    Rule.REBALANCE_BURST: _burst,
    Rule.UNKNOWN_LAG: _unknown,
    Rule.HOT_PARTITION: _hot,
    Rule.IDLE_MEMBERS: _idle,
    Rule.FORGOTTEN: _forgotten,
    Rule.LEFT: _left,
}
