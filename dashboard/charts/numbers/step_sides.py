"""One assignor's side of the members of a step: what each has before and after, with the mean of those that have no row of their own."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard.charts.numbers.loads import Shown
from evenkeel.dashboard.words.member_marks import NEW
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import balance_before
from evenkeel.data.words.formats import UNKNOWN, at_least, compact, compact_sum, exact

Load = Callable[[Balance, np.ndarray], Shown]


class Side(NamedTuple):
    """One assignor: a value for each row; NaN is unknown, in `before` also what a new member had.

    `texts`: before and after, short and exact. `stopped`: partitions of each stopped member before; None if unknown. `fair`: fair share
    after the step, None if unknown.
    """

    name: str
    is_candidate: bool
    before: np.ndarray
    after: np.ndarray
    idle: np.ndarray
    over: np.ndarray
    texts: list[tuple[str, str]]
    exact: list[tuple[str, str]]
    stopped: list[int | None]
    fair: float | None
    is_partial: bool


def side_of(answer: StepAnswer, is_candidate: bool, ids: Sequence[str], shown: int, gone: Sequence[str], load: Load) -> Side:
    """Return the side of one answer; `ids`: of the members in the order of their rows, of which the first `shown` have their own.

    `gone`: of the members that stopped.
    """
    former = {new: old for old, new in answer.renamed}
    owned, start = balance_before(answer), answer.start.snapshot.member_id
    after = load(answer.balance, places_of(ids, answer.group.snapshot.member_id))
    places = places_of([former.get(member_id, member_id) for member_id in ids], start)
    had = load(owned, np.maximum(places, 0)) if owned and len(start) else None
    before = np.full(len(ids), np.nan) if had is None else np.where(places < 0, np.nan, had.values)
    least = np.zeros(len(ids), dtype=bool) if had is None else had.at_least
    is_new = places < 0
    counted = [int(owned.partition_count[row]) if owned else None for row in places_of(gone, start)]
    return Side(
        answer.name,
        is_candidate,
        _with_mean(before, shown),
        _with_mean(after.values, shown),
        _cut(after.idle, shown),
        _cut(after.over, shown),
        list(zip(_texts(before, least, is_new, shown), _texts(after.values, after.at_least, None, shown, after.idle), strict=True)),
        list(zip(_exact(before, least, is_new, shown), _exact(after.values, after.at_least, None, shown), strict=True)),
        counted,
        after.fair,
        after.partial,
    )


def _with_mean(values: np.ndarray, shown: int) -> np.ndarray:
    return values if len(values) <= shown else np.append(values[:shown], _mean(values[shown:]))


def _mean(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else np.nan


def _cut(flags: np.ndarray, shown: int) -> np.ndarray:
    return flags if len(flags) <= shown else np.append(flags[:shown], False)


def _texts(values: np.ndarray, least: np.ndarray, is_new: np.ndarray | None, shown: int, idle: np.ndarray | None = None) -> list[str]:
    told = [compact_sum(float(value), bool(some)) for value, some in zip(values[:shown], least, strict=False)]
    if idle is not None:
        told = ["idle" if none else text for none, text in zip(idle, told, strict=False)]
    return _marked(told, is_new) + ([compact(_mean(values[shown:]))] if len(values) > shown else [])


def _exact(values: np.ndarray, least: np.ndarray, is_new: np.ndarray | None, shown: int) -> list[str]:
    told = [at_least(exact(float(value)), bool(some)) for value, some in zip(values[:shown], least, strict=False)]
    return _marked(told, is_new) + ([exact(_mean(values[shown:]))] if len(values) > shown else [])


def _marked(texts: list[str], is_new: np.ndarray | None) -> list[str]:
    return texts if is_new is None else [NEW if new else text for new, text in zip(is_new, texts, strict=False)]


def where_it_went(sides: Sequence[Side], place: int) -> list[str]:
    """Return for each side how many partitions a stopped member left, one text if all sides agree."""
    counts = [UNKNOWN if side.stopped[place] is None else exact(side.stopped[place]) for side in sides]
    return counts[:1] if len(set(counts)) == 1 else counts


def places_of(ids: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """Return the place of each id among others, -1 where it is not."""
    place = {member_id: row for row, member_id in enumerate(among)}
    return np.array([place.get(member_id, -1) for member_id in ids], dtype=np.int64)
