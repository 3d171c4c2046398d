"""Sentences about the events of a group, and about why it does not drain."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.restarts import Restarts
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.events import (
    BACK,
    FIRST,
    GONE,
    JOINED,
    LEFT,
    PARTITIONS,
    REBALANCE,
    RESTARTED,
    VERDICT,
    Event,
)
from evenkeel.assignors.timeline.now import POLL_SECONDS, Unstable
from evenkeel.assignors.timeline.ownership import of_restarts
from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.data.text.formats import counted, duration, listed, with_more
from evenkeel.data.text.names import names_in

EXTRAPOLATED = "extrapolated"
METHOD_WORDS = {
    "exact": "There is no lag",
    "timestamp": "From the timestamp of the next record",
    "interpolated": "Interpolated: between two snapshots, at a constant rate of records",
    EXTRAPOLATED: "Extrapolated: before the first snapshot, at the same rate of records",
}
"""How a time lag was computed."""

DERIVED_WORDS = {
    "commit": "committed offsets are computed from end offset and lag",
    "end": "end offsets are computed from committed offset and lag",
}
"""How missing offsets of an exporter are computed."""

_FEW = 3

_ABSENCE = {
    GONE: "Later snapshots do not have the group: it was deleted, or could not be read.",
    BACK: "Snapshots have the group again.",
}


def restart_words(runs: Sequence[Restarts], until: float) -> str:
    """Return the restarts in words: `left and came back 27 times in 14 m, every 30 s`.

    The counts of several consumers are added. `until`: end of the time that the sentence is about.
    """
    first, last = min(run.times[0] for run in runs), max(run.times[-1] for run in runs)
    number, periods = sum(run.count for run in runs), sorted(run.period for run in runs)
    each = dict.fromkeys(map(duration, (periods[0], periods[-1])))
    pace = (
        f"{' together' * (len(runs) > 1)} in {duration(last - first)},"
        f" {'each member ' * (len(runs) > 1)}every {' to '.join(each)}"
    )
    over = (
        f", but not in the last {duration(until - last)}"
        if all(run.is_over(until) for run in runs)
        else ""
    )
    return f"left and came back {counted(number, 'time')}{pace}{over}"


def event_words(event: Event, series: Series) -> str:
    """Return the sentence of an event."""
    if event.kind == VERDICT:
        worst = (
            ""
            if event.after == 0
            else f": {_tps(event.rows, series)}, {WORDS[VERDICTS[event.after]].reason}"
        )
        return f"The group went from {VERDICTS[event.before]} to {VERDICTS[event.after]}{worst}."
    if event.kind == PARTITIONS:
        return (
            f"{_tps(event.rows, series)} became {VERDICTS[event.after]}:"
            f" {WORDS[VERDICTS[event.after]].reason}."
        )
    if event.kind == REBALANCE:
        step = (
            f" to generation {event.after:,}" if event.after >= 0 else f", as {seen_by(event)} show"
        )
        return f"The group rebalanced{step}; {counted(len(event.rows), 'partition')} changed owner."
    if event.kind == RESTARTED:
        return (
            f"The offsets of {_tps(event.rows, series)} went back: the topic was created again, or"
            " records were lost."
        )
    if event.kind == FIRST:
        has = _members(event, series) if series.shows_owners[event.row] else "offsets"
        return f"Earlier snapshots do not have the group; here it has {has}."
    if event.kind in _ABSENCE:
        return _ABSENCE[event.kind]
    name = names_in(series)
    names = listed(name[row] for row in event.rows)
    return {JOINED: f"{names} joined.", LEFT: f"{names} left."}[event.kind]


def seen_by(event: Event) -> str:
    """Return the change by which a rebalance without a known generation was noticed."""
    return "its owners" if event.rows else "its members"


def _members(event: Event, series: Series) -> str:
    name = names_in(series)
    number, names = (
        counted(len(event.rows), "member"),
        listed((name[row] for row in event.rows), _FEW),
    )
    return f"{number}: {names}" if event.rows else "no member"


def unstable_words(unstable: Unstable, series: Series) -> str:
    """Return the sentence about a member that repeatedly loses its partitions."""
    name, restarts = names_in(series)[unstable.member], unstable.restarts
    if restarts:
        number = int(np.count_nonzero(of_restarts(series, restarts)))
        meanwhile = f"; {counted(number, 'rebalance')} meanwhile" * bool(number)
        return f"{name} {restart_words([restarts], series.time[-1])}{meanwhile}."
    return (
        f"{name} never had the same partitions for longer than {duration(unstable.longest)}"
        f" (max.poll.interval.ms is {duration(POLL_SECONDS)} by default)."
    )


REBALANCING = "The drain time is unknown: a rebalance was in progress at the last snapshot."


def why_never(
    excess: float,
    members: Sequence[str] = (),
    partitions: Sequence[str] = (),
    stuck: Sequence[str] = (),
    missing: float = np.nan,
) -> str:
    """Return why a group never drains.

    `excess`: records/s written minus records/s read; NaN if unknown, 0 if nothing is written or if
    partitions with lag have no owner. `members`: members that read more slowly than their
    partitions are written. `partitions`: partitions without owner. `stuck`: partitions with an
    owner but without progress. The lists are empty if the names are unknown. `missing`: all
    records/s that are written but not read, used only with `partitions` or `stuck`; NaN if unknown.
    """
    if (partitions or stuck) and missing > 0:
        return (
            f"{why_never(excess, members, partitions, stuck)}; {missing:,.1f} records/s stay unread"
        )
    if stuck:
        others = [why_never(excess, members, partitions)] if members or partitions else []
        return ", and ".join(
            [f"{listed(stuck)} {'makes' if len(stuck) == 1 else 'make'} no progress", *others]
        )
    unread = f"no consumer reads {listed(partitions)}" if partitions else ""
    if unread and not members:
        return unread
    is_known = not np.isnan(excess)
    more = f"{excess:,.1f} records/s more" if is_known else "more records"
    at = "" if is_known else " (rate unknown)"
    if members and not excess:
        return (
            f"{listed(members)} {'reads' if len(members) == 1 else 'read'} nothing"
            + f", and {unread}" * bool(unread)
        )
    if members:
        claim = f"{more} come in than {listed(members)} can read{at}"
        return f"{claim}, and {unread}" if unread else claim
    if not is_known:
        return f"{more} come in than are read{at}"
    return (
        f"{more} come in than the owners can read"
        if excess
        else "no consumer reads a partition with lag"
    )


def _tps(rows: Sequence[int], series: Series) -> str:
    """Return partitions as text: `orders-3`, or `orders-3, orders-7 and 12 more`."""
    return listed(map(series.tp_name, np.array(rows).tolist()), _FEW)


def first_partition(series: Series, tps: Sequence[int]) -> str:
    """Return partitions as text: `orders-3`, or `orders-3 and 12 more`."""
    return with_more(series.tp_name(tps[0]), len(tps) - 1)


# The age of the last snapshot, and whether it is too old to describe the present.


OLD_STEPS = 10
_OLD_SECONDS = 180.0
"""Smallest age of an old snapshot. It applies if snapshots are less than 18 s apart."""

_LAST_STEPS = 10


class SnapshotAge(NamedTuple):
    """The age of the last snapshot.

    `time`: when it was taken, `now`: the current time, both in seconds since 1970. `step`: seconds
    between the last snapshots, 0 if there is only one snapshot.
    """

    time: float
    now: float
    step: float

    @property
    def seconds(self) -> float:
        """Age in seconds, rounded to a tenth; 0 if the snapshot's clock is ahead."""
        return round(max(self.now - self.time, 0.0), 1)

    @property
    def is_old(self) -> bool:
        """Whether the age is more than ten intervals between snapshots, and more than 3 minutes."""
        return self.seconds > max(OLD_STEPS * self.step, _OLD_SECONDS)

    def __str__(self) -> str:
        return (
            f"the last snapshot is of {datetime.fromtimestamp(self.time, UTC):%Y-%m-%dT%H:%M:%SZ},"
            f" {duration(self.seconds)} ago"
        )


def snapshot_age(time: np.ndarray, now: float) -> SnapshotAge:
    """Return the age of the last snapshot; `time`: float64 (S,), ascending, not empty."""
    steps = np.diff(time[-_LAST_STEPS - 1 :])
    return SnapshotAge(float(time[-1]), now, float(np.median(steps)) if steps.size else 0.0)


# Words and marks of verdicts: why a partition has a verdict, and how severe it looks.


class VerdictWords(NamedTuple):
    """The words and signs of a verdict.

    `reason`: why a partition has the verdict. `tone`: fine, warn or bad. `mark`: a character.
    `icon`: a name of Material Symbols. `drawing`: SVG path in a 12 by 12 box. `has_owner`:
    sentences about the verdict name the owner, because the owner is the cause.
    """

    reason: str
    tone: str
    mark: str
    icon: str
    drawing: str
    has_owner: bool = False


WORDS = {
    "STOP": VerdictWords(
        "no owner, and no progress", "bad", "⬣", "dangerous", "M4 0H8L12 4V8L8 12H4L0 8V4Z"
    ),
    "STUCK": VerdictWords(
        "no progress; whether a member owns it was not recorded",
        "bad",
        "◼",
        "stop_circle",
        "M1.5 1.5H10.5V10.5H1.5Z",
    ),
    "STALL": VerdictWords(
        "an owner, and no progress",
        "bad",
        "❚❚",
        "pause",
        "M1.5 1H4.5V11H1.5ZM7.5 1H10.5V11H7.5Z",
        has_owner=True,
    ),
    "REWIND": VerdictWords(
        "the committed offset went back", "warn", "◀◀", "fast_rewind", "M6 1V11L0 6ZM12 1V11L6 6Z"
    ),
    "SLOW": VerdictWords("lag does not fall", "warn", "▲", "warning", "M6 0.8L12 11.2H0Z"),
    "OK": VerdictWords(
        "lag was 0, or fell, in the last observations",
        "fine",
        "✓",
        "check",
        "M0.8 6.6L2.3 5.1L4.6 7.4L9.7 2.2L11.2 3.7L4.6 10.4Z",
    ),
}
"""By name. The order and the rules of verdicts are in `assignors/timeline/verdicts.py`."""
