"""Episodes: findings of a group, each from the first slot to the last slot at which its rule
applies. An effect is folded into its cause.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np

from evenkeel.assignors.episodes.calm import is_calm
from evenkeel.assignors.episodes.episode import Episode
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.figures import because_of, code_of, figures_of, subject_of
from evenkeel.assignors.episodes.folding import cause_of
from evenkeel.assignors.episodes.judgement import Judgement
from evenkeel.assignors.episodes.settings import Rule, Settings

_UNLISTED = 10


class GroupJudgement:
    """The judgement of a group. It is computed once and used by all calls of `episodes`. The
    judgement of a slot never depends on later slots.
    """

    def __init__(self, evidence: Evidence, settings: Settings):
        self._evidence, self._settings = evidence, settings

    def episodes(self, settings: Settings, last: int | None = None) -> list[Episode]:
        """Return the episodes up to the slot number `last`, or up to the last slot if `last` is
        None. They are sorted by first slot, then by rule.

        `settings` may differ from the settings of the judgement only in `patience` and
        `resolve_after`.
        """
        judgement, count = self.judgement, self._evidence.series.slot_count
        if judgement is None:
            return []
        count = count if last is None else last + 1
        listed, result = self._evidence.is_listed[:count], []
        for rule in Rule:
            holds = judgement.holdings[rule].holds[:count]
            if holds.any():
                runs = _runs(listed, holds.any(axis=1), settings.resolve_after)
                result += [_episode(judgement, settings, rule, count, *run) for run in runs]
        folded = [replace(each, folded_into=cause_of(each, result, judgement)) for each in result]
        rank = {rule: number for number, rule in enumerate(Rule)}
        return sorted(folded, key=lambda each: (each.first_row, rank[each.rule]))

    @cached_property
    def judgement(self) -> Judgement | None:
        """The judgement of the group. None if no rule applies at any slot."""
        if self._settings.slo is None and is_calm(self._evidence):
            return None
        return Judgement(self._evidence, self._settings)


def _runs(
    listed: np.ndarray, holds: np.ndarray, resolve_after: int
) -> list[tuple[int, int, int | None]]:
    """Return (first slot, last slot, slot at which the episode ended or None) for each episode of a
    rule.

    Slots without the group are ignored, but an episode ends if ten such slots follow each other.
    """
    ends = _ends(holds, listed, resolve_after)
    runs: list[tuple[int, int, int | None]] = []
    row = 0
    rows = np.flatnonzero(holds)
    while True:
        place = np.searchsorted(rows, row)
        if place == rows.size:
            return runs
        first = int(rows[place])
        after = ends[np.searchsorted(ends, first) :]
        until = int(after[0]) if after.size else None
        last = int(rows[np.searchsorted(rows, len(holds) if until is None else until) - 1])
        runs.append((first, last, until))
        if until is None:
            return runs
        row = until


def _ends(holds: np.ndarray, listed: np.ndarray, resolve_after: int) -> np.ndarray:
    """Return the slots at which an open episode would end: the first of `resolve_after` listed
    slots in a row at which the rule does not apply, or the first of ten slots in a row without the
    group.
    """
    rows = np.flatnonzero(listed)
    calm = ~holds[rows]
    ends = set()
    if rows.size >= resolve_after:
        windows = np.lib.stride_tricks.sliding_window_view(calm, resolve_after).all(axis=1)
        ends = set(rows[: windows.size][windows].tolist())
    away = ~listed
    if away.size >= _UNLISTED:
        windows = np.lib.stride_tricks.sliding_window_view(away, _UNLISTED).all(axis=1)
        ends |= set(np.flatnonzero(windows).tolist())
    return np.array(sorted(ends), dtype=np.int64)


def _episode(
    judgement: Judgement,
    settings: Settings,
    rule: Rule,
    count: int,
    first: int,
    last: int,
    until: int | None,
) -> Episode:
    holding, time = judgement.holdings[rule], judgement.evidence.series.time
    rows = slice(first, last + 1)
    items = np.flatnonzero(holding.holds[rows].any(axis=0))
    begins = first + np.argmax(holding.holds[rows][:, items], axis=0)
    since = holding.since[begins, items]
    earliest = int(np.argmin(since))
    is_least = bool(holding.is_least[begins, items][since == since.min()].any())
    tps, members = subject_of(judgement, rule, items, first, last)
    code = code_of(judgement, rule, tps, items, first, last)
    patience = settings.patience_of(rule, code)
    stop = count if until is None else until
    due = np.flatnonzero(time[first:stop] - time[first] >= patience)
    figures, assumed = figures_of(judgement, rule, items, first, last)
    return Episode(
        rule,
        code,
        tps,
        members,
        float(since[earliest]),
        is_least,
        float(time[first]),
        None if until is None else float(time[until]),
        float(time[first + due[0]]) if due.size else None,
        figures,
        because_of(judgement, rule, items, first, last),
        None,
        first,
        last,
        assumed,
    )
