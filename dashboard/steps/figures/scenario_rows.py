"""The rows of the bar chart `scenario_bars`: each member's lag now and at the end of each
scenario.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard.names import NEW, STOPPED, natural, under
from evenkeel.dashboard.parts.loads import known_mean, lag_load
from evenkeel.dashboard.steps.figures.step_sides import MOST, WORST
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import balance_before
from evenkeel.data.text.formats import compact
from evenkeel.data.text.names import short_labels


class Loads(NamedTuple):
    """The members' lags in one assignment, one for each row of the chart. An unknown lag is NaN. If
    the row's member is not in the assignment, the lag is NaN and the text is empty.
    """

    values: np.ndarray
    idle: np.ndarray
    over: np.ndarray
    texts: list[str]
    fair: float | None
    is_partial: bool


class End(NamedTuple):
    """The end of one scenario. `stops`: the rows of the chart whose members this scenario has
    stopped.
    """

    title: str
    loads: Loads
    stops: np.ndarray


class ScenarioRows(NamedTuple):
    """The rows of the chart: the members as listed, most lag first, then new members. `others`:
    number of further members; if it is not 0, the last row shows their mean.
    """

    names: list[str]
    others: int
    now: Loads
    ends: list[End]

    @property
    def high(self) -> float:
        """The largest known lag, at least 1. It is the end of the axis in all panels."""
        return float(
            np.nanmax(
                [1.0, *self.now.values, *(value for end in self.ends for value in end.loads.values)]
            )
        )


class _MemberLoads(NamedTuple):
    """The members' loads in one assignment. `place`: the row number of each member in `balance`, by
    member id.
    """

    balance: Balance | None
    place: dict[str, int]


def scenario_rows(scenarios: Sequence[tuple[str, Sequence[StepAnswer]]]) -> ScenarioRows:
    """Return the rows of scenarios of one group.

    Parameters
    ----------
    scenarios : sequence of (title, answers)
        The title of a scenario, and an assignor's answers to its steps. The first answer is the
        group as listed.
    """
    first, listed = next(
        (answers[0], answers[0].start) for _, answers in scenarios if answers[0].start is not None
    )
    now = _MemberLoads(
        balance_before(first),
        {member_id: row for row, member_id in enumerate(listed.snapshot.member_id)},
    )
    ends = [_end(answers) for _, answers in scenarios]
    new = list(
        dict.fromkeys(
            member_id for end in ends for member_id in end.place if member_id not in now.place
        )
    )
    ids = [*now.place, *new]
    clients = _clients([listed, *(answers[-1].group for _, answers in scenarios)])
    labels = dict(
        zip(ids, short_labels(ids, [clients.get(member_id) for member_id in ids]), strict=True)
    )
    stopped = {
        member_id
        for member_id in now.place
        if all(end.balance and member_id not in end.place for end in ends)
    }
    order = _order(ids, now, ends, labels)
    shown = order if len(order) <= MOST else order[:WORST]
    rest = order[len(shown) :]
    marks = dict.fromkeys(stopped, f" {STOPPED}") | dict.fromkeys(new, f" {NEW}")
    return ScenarioRows(
        [labels[member_id] + marks.get(member_id, "") for member_id in shown],
        len(rest),
        _loads(now, shown, rest),
        [
            End(title, _loads(end, shown, rest), _stops(now, end, shown, rest))
            for (title, _), end in zip(scenarios, ends, strict=True)
        ],
    )


def _end(answers: Sequence[StepAnswer]) -> _MemberLoads:
    """Return the members' loads at the end of a scenario. A restarted member has the member id that
    it had at the start of the scenario.
    """
    last = answers[-1]
    if last.group is None:
        return _MemberLoads(None, {})
    former: dict[str, str] = {}
    for step in answers[1:]:
        former |= {new: former.get(old, old) for old, new in step.renamed}
    return _MemberLoads(
        last.balance,
        {
            former.get(member_id, member_id): row
            for row, member_id in enumerate(last.group.snapshot.member_id)
        },
    )


def _clients(groups: Sequence[ObservedGroup | None]) -> dict[str, str | None]:
    clients: dict[str, str | None] = {}
    for group in filter(None, groups):
        clients |= zip(group.snapshot.member_id, group.client_id, strict=True)
    return clients


def _order(
    ids: Sequence[str], now: _MemberLoads, ends: Sequence[_MemberLoads], labels: dict[str, str]
) -> list[str]:
    """Return the member ids in the order of the rows: the members as listed, most lag first, then
    the new members. In a large group all members are ordered by their highest lag.
    """
    lag = {member_id: [_lag(held, member_id) for held in (now, *ends)] for member_id in ids}
    is_large = len(ids) > MOST

    def key(member_id: str) -> tuple:
        highest = (
            max(lag[member_id]) if is_large or member_id not in now.place else lag[member_id][0]
        )
        return (not is_large and member_id not in now.place, -highest, natural(labels[member_id]))

    return sorted(ids, key=key)


def _lag(held: _MemberLoads, member_id: str) -> float:
    row = held.place.get(member_id)
    return -1.0 if held.balance is None or row is None else float(held.balance.lag[row])


def _loads(held: _MemberLoads, shown: Sequence[str], rest: Sequence[str]) -> Loads:
    if held.balance is None:
        size = len(shown) + bool(rest)
        return Loads(
            np.full(size, np.nan),
            np.zeros(size, dtype=bool),
            np.zeros(size, dtype=bool),
            [""] * size,
            None,
            False,
        )
    has = np.array([member_id in held.place for member_id in shown], dtype=bool)
    load = lag_load(
        held.balance,
        np.array([held.place.get(member_id, 0) for member_id in shown], dtype=np.int64),
    )
    values = np.where(has, load.values, np.nan)
    words = ["idle" if idle else text for idle, text in zip(load.idle, load.short(), strict=True)]
    texts = [text if there else "" for there, text in zip(has, words, strict=True)]
    if not rest:
        return Loads(values, load.idle & has, load.over & has, texts, load.fair, load.partial)
    places = [held.place[member] for member in rest if member in held.place]
    mean = known_mean(lag_load(held.balance, np.array(places, dtype=np.int64)).values)
    idle, over = (np.append(flag & has, False) for flag in (load.idle, load.over))
    texts = [*texts, compact(mean)]
    return Loads(np.append(values, mean), idle, over, texts, load.fair, load.partial)


def _stops(
    now: _MemberLoads, end: _MemberLoads, shown: Sequence[str], rest: Sequence[str]
) -> np.ndarray:
    gone = [
        end.balance is not None and member_id in now.place and member_id not in end.place
        for member_id in shown
    ]
    return np.array([*gone, *[False] * bool(rest)], dtype=bool)


def finding(scenarios: Sequence[tuple[str, Sequence[StepAnswer]]]) -> str:
    """Return the main result of the chart in one sentence."""
    texts = [
        f"{title} {compact(answers[-1].balance.max_lag if answers[-1].balance else None)}"
        f" {under(answers[-1].name)}"
        for title, answers in scenarios
    ]
    return f"Lag of the worst member at the end: {', '.join(texts)}"
