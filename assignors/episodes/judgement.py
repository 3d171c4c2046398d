"""Judgement: the result of every rule at every slot for one group."""

from functools import cached_property

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.forecast import Forecast, age, forecast
from evenkeel.assignors.episodes.hot import hot
from evenkeel.assignors.episodes.losses import losses
from evenkeel.assignors.episodes.members import Unstable, bursts, idle, unstable
from evenkeel.assignors.episodes.progress import Holding, progress
from evenkeel.assignors.episodes.settings import Rule, Settings
from evenkeel.assignors.episodes.slow import Slow
from evenkeel.assignors.episodes.track import Track
from evenkeel.assignors.group.snapshot import UNKNOWN

CAUSES = (Rule.STOP, Rule.FORGOTTEN, Rule.BLOCKED, Rule.STALL, Rule.NEVER_DRAINS)
"""Causes of a loss, in order of precedence for a partition."""


_OF_SHARE = (Rule.STOP, Rule.FORGOTTEN, Rule.UNKNOWN_LAG)


class Judgement:
    """The rules of one group. The result of each rule is a `Holding` with a row for each slot. Its
    columns are partitions or members; a rule about the whole group has one column.
    """

    def __init__(self, evidence: Evidence, settings: Settings):
        self.evidence, self.settings = evidence, settings
        self.track = track = Track(evidence)
        self.progress = progress(evidence, track, settings)
        self.slow = Slow(track)
        taken = self.progress.unknown_lag.holds | self.progress.left.holds | self.progress.is_stuck
        self.never_drains = self.slow.at_slots(track).but(taken)
        self.losses = losses(evidence, track, self.progress.left.holds)
        self._skips = self.losses.skips & ~taken

    @cached_property
    def holdings(self) -> dict[Rule, Holding]:
        """The result of every rule. Columns are partitions, except for rules about members or about
        the whole group.

        In a share group, most rules never apply: members share partitions, so a partition has no
        single owner, and records are completed in any order.
        """
        if not self.evidence.is_share:
            return self._every
        never = Holding.never(self.evidence.series.lag.shape)
        return {rule: self._every[rule] if rule in _OF_SHARE else never for rule in Rule}

    @cached_property
    def _every(self) -> dict[Rule, Holding]:
        return {
            Rule.LOST: self.losses.lost,
            Rule.LOSES: self.loses,
            Rule.STOP: self.progress.stop,
            Rule.BLOCKED: self.progress.blocked,
            Rule.STALL: self.progress.stall,
            Rule.REWIND: self._rewind,
            Rule.NEVER_DRAINS: self.never_drains,
            Rule.BEHIND: self._behind,
            Rule.UNSTABLE: self.unstable.holding,
            Rule.REBALANCE_BURST: self.bursts[0],
            Rule.UNKNOWN_LAG: self.progress.unknown_lag,
            Rule.HOT_PARTITION: self.hot[0],
            Rule.IDLE_MEMBERS: idle(self.evidence),
            Rule.FORGOTTEN: self.progress.forgotten,
            Rule.LEFT: self.progress.left,
        }

    @cached_property
    def hot(self) -> tuple[Holding, np.ndarray, np.ndarray]:
        return hot(self.evidence)

    @cached_property
    def unstable(self) -> Unstable:
        return unstable(self.evidence)

    @cached_property
    def bursts(self) -> tuple[Holding, np.ndarray, np.ndarray]:
        return bursts(self.evidence)

    @cached_property
    def causes(self) -> dict[Rule, Holding]:
        """The results of the rules that can cause a loss of records."""
        progress = self.progress
        parts = (
            progress.stop,
            progress.forgotten,
            progress.blocked,
            progress.stall,
            self._too_slow,
        )
        return dict(zip(CAUSES, parts, strict=True))

    @cached_property
    def _too_slow(self) -> Holding:
        """Partitions whose owner reads too slowly. An owner that jumps over deleted records also
        reads too slowly, although the lag does not grow.
        """
        slow, lost = self.never_drains, self.losses.lost
        return Holding(
            slow.holds | self._skips,
            np.where(slow.holds, slow.since, lost.since),
            np.where(slow.holds, slow.is_least, lost.is_least),
        )

    @cached_property
    def forecast(self) -> Forecast:
        """The forecast of deletions for partitions with waiting records."""
        waits = np.zeros(self.never_drains.holds.shape, dtype=bool)
        for holding in self.causes.values():
            waits |= holding.holds
        waits &= self.evidence.series.committed_offset != UNKNOWN
        is_slow = self.never_drains.holds & ~self._skips
        return forecast(self.evidence, waits, is_slow, self._skips)

    @cached_property
    def loses(self) -> Holding:
        """Partitions whose unread records will be deleted soon, or exist only in the memory of a
        member.
        """
        now = self.evidence.series.time[:, None]
        near = self.forecast.nearest - now < self.settings.loses_within
        in_memory = self.losses.in_memory > 0
        if not near.any() and not in_memory.any():
            return Holding.never(near.shape)
        since = np.where(in_memory, self.losses.passed.since, 0.0)
        is_least = self.losses.passed.is_least & in_memory
        for holding in self.causes.values():
            since = np.where(holding.holds, holding.since, since)
            is_least = np.where(holding.holds, holding.is_least, is_least)
        return Holding(near | in_memory, since, is_least)

    @cached_property
    def ages(self) -> np.ndarray:
        """Time lags in seconds, (S, P), NaN if unknown."""
        series = self.evidence.series
        return age(self.evidence, np.ones(series.lag.shape, dtype=bool)).seconds

    @cached_property
    def _rewind(self) -> Holding:
        track, at_slots = self.track, self.evidence.observed.at_slots
        if not track.is_rewinding.any():
            return Holding.never(self.evidence.series.lag.shape)
        since = at_slots(track.time_at(track.rewound), 0.0)
        holds = at_slots(track.is_rewinding, False) & self.evidence.is_listed[:, None]
        return Holding(holds, since, np.zeros(holds.shape, dtype=bool))

    @cached_property
    def _behind(self) -> Holding:
        series = self.evidence.series
        shape = series.lag.shape
        if self.settings.slo is None:
            return Holding.never(shape)
        is_late = (self.ages > self.settings.slo) & ~self.progress.left.holds
        rows = np.arange(shape[0])[:, None]
        start = np.maximum.accumulate(np.where(is_late, -1, rows), axis=0) + 1
        start = np.minimum(start, shape[0] - 1)
        return Holding(is_late, series.time[start], is_late & (start == 0))
