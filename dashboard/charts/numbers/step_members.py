"""Lag of every member before and after a step, for the assignor in use and the candidate."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.dashboard.charts.numbers.loads import count_load, lag_load, no_lag
from evenkeel.dashboard.charts.numbers.step_sides import Load, Side, places_of, side_of
from evenkeel.dashboard.words.member_marks import NEW, RESTARTED, STOPPED
from evenkeel.dashboard.words.names import under
from evenkeel.dashboard.words.order import natural
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import exact
from evenkeel.data.words.names import short_labels

MOST = 24
"""Members that all have a row of their own."""

WORST = 14
"""Rows of a larger group."""


class Rows(NamedTuple):
    """Members at rest with most lag first, each with its mark; `others`: the number of members in one last row, their mean.

    `member_ids` of the rows but the last one of others; `stopped`: names of the members that left. `without_lag` says why partitions stand
    in place of lag. `is_listed`: of the group as listed, without a before.
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
        """Whether the group as listed has an answer beside it."""
        return self.is_listed and any(side.is_candidate for side in self.sides)


def member_rows(
    in_use: StepAnswer | None, candidate: StepAnswer | None, names: Mapping[str, str] | None = None, step: int | None = None
) -> Rows | None:
    """Return the rows of a step; a side without an answer has none, None if no side has one.

    One answer for both is the assignor in use. `names`: by member id, where a page has its own. Step 0 is the group as listed, which all
    sides show unless the first one is `listed_answer`.
    """
    pair = [(in_use, False)] if in_use is candidate else [(in_use, False), (candidate, True)]
    given = [(answer, is_candidate) for answer, is_candidate in pair if answer is not None and answer.rebalances]
    if step == 0 and not (in_use and in_use.name == CURRENT):
        # Nobody has assigned anything yet: all sides have what the listing says.
        given = [(answer, False) for answer, _ in given[:1]]
    if not given:
        return None
    first = given[0][0]
    after, before, renamed = first.group, first.start, dict(first.renamed)
    ids = after.snapshot.member_id
    present = set(ids)
    left = [row for row, member_id in enumerate(before.snapshot.member_id) if renamed.get(member_id, member_id) not in present]
    gone = [before.snapshot.member_id[row] for row in left]
    short = short_labels((*ids, *gone), (*after.client_id, *(before.client_id[row] for row in left)))
    labels = [(names or {}).get(member_id, label) for member_id, label in zip((*ids, *gone), short, strict=True)]
    without = no_lag(*(answer.balance for answer, _ in given))
    load = count_load if without else lag_load
    order = _order(ids, labels, [(answer, load) for answer, _ in given])
    shown = order if len(order) <= MOST else order[:WORST]
    marks = _marks(ids, before.snapshot.member_id, renamed)
    return Rows(
        [labels[row] + marks[row] for row in shown],
        [ids[row] for row in shown],
        len(order) - len(shown),
        [f"{label} {STOPPED}" for label in labels[len(ids) :]],
        [side_of(answer, is_candidate, [ids[row] for row in order], len(shown), gone, load) for answer, is_candidate in given],
        without,
        step == 0,
    )


def _marks(ids: Sequence[str], before: Sequence[str], renamed: dict[str, str]) -> list[str]:
    had, back = set(before), set(renamed.values())
    return [f" {RESTARTED}" if member_id in back else "" if member_id in had else f" {NEW}" for member_id in ids]


def _order(ids: Sequence[str], labels: Sequence[str], given: Sequence[tuple[StepAnswer, Load]]) -> list[int]:
    """Return the rows by the higher load of both sides, most first; ties by name."""
    loads = [load(answer.balance, places_of(ids, answer.group.snapshot.member_id)).values for answer, load in given]
    highest = np.max(np.nan_to_num(loads, nan=-1.0), axis=0) if ids else np.empty(0)
    by_name = sorted(range(len(ids)), key=lambda row: natural(labels[row]))
    return sorted(by_name, key=lambda row: -highest[row])


def finding(rows: Rows, step: int) -> str:
    """Say in one sentence what the bars show."""
    what = "partitions" if rows.without_lag else "records"
    when, told = "" if rows.is_compared else f" {AS_LISTED}" if rows.is_listed else f" after step {step}", []
    for side in rows.sides:
        loads = side.after[: len(rows.names)]
        if np.isfinite(loads).any():
            worst = int(np.nanargmax(loads))
            by = "" if rows.is_listed and not rows.is_compared else "now " if side.name == CURRENT else f"{under(side.name)} "
            told.append(f"{by}{rows.names[worst]} has most, {side.exact[worst][1]} {what}")
    left = f"; {exact(len(rows.stopped))} stopped" if rows.stopped else ""
    return f"Load per member{when}: {', '.join(told) or 'unknown'}{left}"
