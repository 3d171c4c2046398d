"""Members and their lag before and after whole scenarios, each member under the id that it had first."""

from collections.abc import Mapping, Sequence

import numpy as np

from dashboard.charts.scenario_bars import MOST_MEMBERS, Panel
from dashboard.loading.scenarios.walks import Walk
from data.scenarios.run.step import StepAnswer


def panels(walks: Mapping[str, Walk]) -> tuple[list[str], list[Panel]]:
    """Return the members that are worst before or after, most lag first, and a panel for each scenario by its title."""
    listed = _lags(next(iter(walks.values())).answers[0])
    after = {title: _after(walk) for title, walk in walks.items()}
    members = list(dict.fromkeys([*listed, *(member for lags in after.values() for member in lags)]))
    worst = {member: max(lags.get(member, 0) for lags in (listed, *after.values())) for member in members}
    shown = sorted(sorted(members, key=worst.get, reverse=True)[:MOST_MEMBERS], key=lambda member: -listed.get(member, -1))
    return shown, [Panel(title, _column(listed, shown), _column(lags, shown), _mean(lags)) for title, lags in after.items()]


def _lags(answer: StepAnswer) -> dict[str, int]:
    group, balance = answer.group, answer.balance
    return {} if group is None or not balance.has_lag else dict(zip(group.snapshot.member_id, balance.lag.tolist(), strict=True))


def _after(walk: Walk) -> dict[str, int]:
    first = {}
    for answer in walk.answers:
        first |= {new: first.get(old, old) for old, new in answer.renamed}
    ends = next((answer for answer in reversed(walk.answers) if answer.group is not None), walk.answers[0])
    return {first.get(member, member): lag for member, lag in _lags(ends).items()}


def _column(lags: Mapping[str, int], members: Sequence[str]) -> np.ndarray:
    return np.array([lags.get(member, np.nan) for member in members], dtype=float)


def _mean(lags: Mapping[str, int]) -> float | None:
    return sum(lags.values()) / len(lags) if lags else None
