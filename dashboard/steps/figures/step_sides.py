"""The values of one assignor in the chart `step_members`: each member's load before and after a
step. The last row shows the mean of the members that have no row.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard.names import NEW, RESTARTED, STOPPED, natural, under
from evenkeel.dashboard.parts.loads import LoadValues, count_load, known_mean, lag_load, no_lag
from evenkeel.data.scenarios.run.group_step import Rebalance, StepAnswer
from evenkeel.data.scenarios.run.step_figures import balance_before
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.text.formats import at_least, compact, compact_sum, exact
from evenkeel.data.text.names import short_labels

Load = Callable[[Balance, np.ndarray], LoadValues]


class Side(NamedTuple):
    """The values of one assignor, one for each row of the chart. An unknown value is NaN. A new
    member's `before` is NaN too.

    `texts`, `exact`: rounded and exact texts, each a pair: before and after the step. `stopped`:
    how many partitions each stopped member had, None if unknown. `fair`: the fair share after the
    step, None if unknown.
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


def side_of(
    answer: StepAnswer,
    is_candidate: bool,
    ids: Sequence[str],
    shown: int,
    gone: Sequence[str],
    load: Load,
) -> Side:
    """Return the values of one assignor's answer. `ids`: member ids in the order of the rows. The
    first `shown` members have rows of their own, the others share the last row.

    `gone`: member ids of stopped members.
    """
    former = {new: old for old, new in answer.renamed}
    owned, start = balance_before(answer), answer.start.snapshot.member_id if answer.start else ()
    after = _load_after(answer.rebalances[-1], ids, load)
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
        list(
            zip(
                _texts(before, least, is_new, shown),
                _texts(after.values, after.at_least, None, shown, after.idle),
                strict=True,
            )
        ),
        list(
            zip(
                _exact(before, least, is_new, shown),
                _exact(after.values, after.at_least, None, shown),
                strict=True,
            )
        ),
        counted,
        after.fair,
        after.partial,
    )


def _with_mean(values: np.ndarray, shown: int) -> np.ndarray:
    return values if len(values) <= shown else np.append(values[:shown], known_mean(values[shown:]))


def _cut(flags: np.ndarray, shown: int) -> np.ndarray:
    return flags if len(flags) <= shown else np.append(flags[:shown], False)


def _texts(
    values: np.ndarray,
    least: np.ndarray,
    is_new: np.ndarray | None,
    shown: int,
    idle: np.ndarray | None = None,
) -> list[str]:
    texts = [
        compact_sum(float(value), bool(some))
        for value, some in zip(values[:shown], least, strict=False)
    ]
    if idle is not None:
        texts = ["idle" if none else text for none, text in zip(idle, texts, strict=False)]
    return _marked(texts, is_new) + (
        [compact(known_mean(values[shown:]))] if len(values) > shown else []
    )


def _exact(
    values: np.ndarray, least: np.ndarray, is_new: np.ndarray | None, shown: int
) -> list[str]:
    texts = [
        at_least(exact(float(value)), bool(some))
        for value, some in zip(values[:shown], least, strict=False)
    ]
    return _marked(texts, is_new) + (
        [exact(known_mean(values[shown:]))] if len(values) > shown else []
    )


def _marked(texts: list[str], is_new: np.ndarray | None) -> list[str]:
    return (
        texts
        if is_new is None
        else [NEW if new else text for new, text in zip(is_new, texts, strict=False)]
    )


def where_it_went(sides: Sequence[Side], place: int) -> list[str]:
    """Return, for each assignor, how many partitions a stopped member had. If all assignors have
    the same number, return it once.
    """
    counts = [exact(side.stopped[place]) for side in sides]
    return counts[:1] if len(set(counts)) == 1 else counts


def places_of(ids: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """Return the position of each id in `among`, -1 if missing."""
    place = {member_id: row for row, member_id in enumerate(among)}
    return np.array([place.get(member_id, -1) for member_id in ids], dtype=np.int64)


# Lag of every member before and after a step, under the assignor in use and under the candidate.


MOST = 24
"""Largest group in which each member has a row."""

WORST = 14
"""Number of members with a row in a larger group."""


class Rows(NamedTuple):
    """The rows of the chart: the members after the step's rebalances, most lag first. `others`: the
    number of further members; if it is not 0, the last row shows their mean.

    `member_ids`: member ids of the rows except the row of others. `stopped`: names of stopped
    members. `without_lag`: why the bars show partitions instead of lag; empty if they show lag.
    `is_listed`: the rows show the group as listed, so there is no lag before a step.
    """

    names: list[str]
    member_ids: list[str]
    others: int
    stopped: list[str]
    sides: list[Side]
    without_lag: str
    is_listed: bool = False

    @property
    def is_compared(self) -> bool:
        """Whether the chart compares the group as listed with an assignor's answer."""
        return self.is_listed and any(side.is_candidate for side in self.sides)


def member_rows(
    in_use: StepAnswer | None,
    candidate: StepAnswer | None,
    names: Mapping[str, str] | None = None,
    step: int | None = None,
) -> Rows | None:
    """Return the rows of the chart at a step. An assignor without an answer is left out. None if
    neither assignor has an answer.

    If `in_use` and `candidate` are the same object, each member has only one bar. `names`: short
    names by member id. At step 0, the group as listed, only the owners are shown, unless `in_use`
    is `listed_answer`.
    """
    pair = [(in_use, False)] if in_use is candidate else [(in_use, False), (candidate, True)]
    given = [
        (answer, is_candidate)
        for answer, is_candidate in pair
        if answer is not None and answer.rebalances
    ]
    if step == 0 and not (in_use and in_use.name == CURRENT):
        # No assignor has assigned anything yet, so all sides have the listed owners.
        given = [(answer, False) for answer, _ in given[:1]]
    if not given or (before := given[0][0].start) is None:
        return None
    first = given[0][0]
    after, renamed = first.rebalances[-1].group, dict(first.renamed)
    ids = after.snapshot.member_id
    present = set(ids)
    left = [
        row
        for row, member_id in enumerate(before.snapshot.member_id)
        if renamed.get(member_id, member_id) not in present
    ]
    gone = [before.snapshot.member_id[row] for row in left]
    short = short_labels(
        (*ids, *gone), (*after.client_id, *(before.client_id[row] for row in left))
    )
    labels = [
        (names or {}).get(member_id, label)
        for member_id, label in zip((*ids, *gone), short, strict=True)
    ]
    without = no_lag(*(answer.balance for answer, _ in given))
    load = count_load if without else lag_load
    order = _order(ids, labels, [answer.rebalances[-1] for answer, _ in given], load)
    shown = order if len(order) <= MOST else order[:WORST]
    marks = _marks(ids, before.snapshot.member_id, renamed)
    return Rows(
        [labels[row] + marks[row] for row in shown],
        [ids[row] for row in shown],
        len(order) - len(shown),
        [f"{label} {STOPPED}" for label in labels[len(ids) :]],
        [
            side_of(answer, is_candidate, [ids[row] for row in order], len(shown), gone, load)
            for answer, is_candidate in given
        ],
        without,
        step == 0,
    )


def _marks(ids: Sequence[str], before: Sequence[str], renamed: dict[str, str]) -> list[str]:
    had, back = set(before), set(renamed.values())
    marks = dict.fromkeys(ids, f" {NEW}") | dict.fromkeys(had, "")
    marks |= dict.fromkeys(back, f" {RESTARTED}")
    return [marks[member_id] for member_id in ids]


def _load_after(last: Rebalance, ids: Sequence[str], load: Load) -> LoadValues:
    return load(last.balance, places_of(ids, last.group.snapshot.member_id))


def _order(
    ids: Sequence[str], labels: Sequence[str], given: Sequence[Rebalance], load: Load
) -> list[int]:
    """Return the order of the members' rows, highest load first. A member's load is the higher of
    its loads in both answers. Members with equal loads are ordered by name.
    """
    loads = [_load_after(last, ids, load).values for last in given]
    highest = np.max(np.nan_to_num(loads, nan=-1.0), axis=0) if ids else np.empty(0)
    by_name = sorted(range(len(ids)), key=lambda row: natural(labels[row]))
    return sorted(by_name, key=lambda row: -highest[row])


def of_step(rows: Rows, step: int) -> str:
    """Return the words for the step in a title. Empty if the chart compares the group as listed
    with an answer.
    """
    if rows.is_compared:
        return ""
    return f" {AS_LISTED}" if rows.is_listed else f" after step {step}"


def finding(rows: Rows, step: int) -> str:
    """Return the most loaded member under each assignor, in one sentence."""
    unit, texts = "partitions" if rows.without_lag else "records", []
    for side in rows.sides:
        loads = side.after[: len(rows.names)]
        if np.isfinite(loads).any():
            worst = int(np.nanargmax(loads))
            by = "now " if side.name == CURRENT else f"{under(side.name)} "
            if rows.is_listed and not rows.is_compared:
                by = ""
            texts.append(f"{by}{rows.names[worst]} has most, {side.exact[worst][1]} {unit}")
    left = f"; {exact(len(rows.stopped))} stopped" if rows.stopped else ""
    return f"Load per member{of_step(rows, step)}: {', '.join(texts) or 'unknown'}{left}"
