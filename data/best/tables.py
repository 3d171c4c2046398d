"""The best assignment as text for `evenkeel best`, and as tables for the Python library."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.answer import Beside
from evenkeel.assignors.best.objective import NEVER
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.best.answer import SearchResult
from evenkeel.data.best.answer_json import point_json, size_json
from evenkeel.data.best.unread import Unread
from evenkeel.data.best.words import (
    amount,
    headline,
    hot_partition,
    members_within,
    nearness,
    useful_members,
)
from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.compare.owner_tables import moves_table
from evenkeel.data.compare.tables import about
from evenkeel.data.text.formats import NARROW, UNKNOWN, and_more, counted

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_LINES = 50
_NO_MEMBER = "The group has no members, so no plan gives a partition an owner."


def best_text(plan: SearchResult, diagnosis: Sequence[str] = ()) -> str:
    """Return the text of `evenkeel best`. `diagnosis`: sentences for the start of the text."""
    lines = [*filter(None, diagnosis), *[""] * bool(diagnosis)]
    lines += [about(plan.observed)]
    lines += _answer(plan) if plan.observed.snapshot.member_count else ["", _NO_MEMBER]
    # Terminals do not show the narrow space.
    return "\n".join(printable(line.replace(NARROW, " ")) for line in lines) + "\n"


def _answer(plan: SearchResult) -> list[str]:
    unread = Unread.of(plan.observed.current, plan.best)
    lines = [headline(plan.best), *filter(None, [unread.sentence, hot_partition(plan.best)])]
    lines += ["", *_beside(plan.beside)] if plan.beside is not None else []
    lines += ["", *_members(plan), *_plan(plan)]
    lines += ["", unread.unassigned_line] if unread.unassigned_line else []
    if plan.why is not None:
        lines += [
            "",
            f"Why {plan.why.partition} goes to its member",
            *(f"  {sentence}" for sentence in plan.why.sentences),
        ]
    if plan.points is not None:
        lines += ["", *_frontier(plan)]
    if plan.size is not None:
        lines += ["", *_right_size(plan)]
    bounds = [[bound.name, amount(plan.best.problem, bound.value)] for bound in plan.best.bounds]
    return [*lines, "", *aligned_lines([["lower bound", "worst member"], *bounds]), *_ended(plan)]


def _beside(both: Beside) -> list[str]:
    """Return a table with the value of each plan under both objectives."""
    aims = [plan.problem.objective for plan in (both.mine, both.other)]
    values = [(both.mine.value, both.mine_for_other), (both.other_for_mine, both.other.value)]
    cells = [["Rates and lag disagree", *(f"worst {aim}" for aim in aims), ""]]
    for aim, (mine, other), best in zip(aims, values, (both.mine, both.other), strict=True):
        worst = amount(both.mine.problem, mine), amount(both.other.problem, other)
        cells.append([f"the plan for {aim}", *worst, counted(best.moves, "move")])
    return aligned_lines(cells)


def _ended(plan: SearchResult) -> list[str]:
    endings = {
        "time": "the time limit ended the search: more time may find a better answer",
        "stop": "the search was ended",
    }
    rates = plan.best.problem.request.rates
    assumed = rates.assumed if rates and plan.best.problem.objective != "lag" else ()
    ended = [endings[plan.best.stopped]] if plan.best.stopped in endings else []
    return ended + ([f"assumed: the capacity of {', '.join(assumed)}"] if assumed else [])


def _members(plan: SearchResult) -> list[str]:
    """Return a line for each member, highest value in the plan first. Columns: number of partitions
    and value now; number of partitions and value in the plan.
    """
    problem, owner = plan.best.problem, plan.best.owner
    now = problem.owner_now
    sides = [(problem.loads_now(), now), (problem.loads(owner), owner)]
    rows = []
    for member in problem.members.tolist():
        cells = []
        for (lag, rate), owners in sides:
            value = problem.value_of(lag[member], rate[member], problem.capacity[member])
            cells.append((value, int((owners == member).sum())))
        rows.append((cells[1][0], problem.group.member_id[member], cells))
    rows.sort(key=lambda row: -float(row[0]) if row[0] != NEVER else -float("inf"))
    shown = [
        [name, *(cell for value, count in cells for cell in (f"{count:,}", amount(problem, value)))]
        for _, name, cells in rows
    ]
    more = and_more(len(shown) - _MOST_LINES)
    return [
        *aligned_lines(
            [["member", "partitions", "now", "partitions", "then"], *shown[:_MOST_LINES]]
        ),
        *more,
    ]


def _plan(plan: SearchResult) -> list[str]:
    """Return a line for each partition that changes owner, most lag first, and a note if a change
    does not count as a move.
    """
    best, problem, group = plan.best, plan.best.problem, plan.best.problem.group
    now = problem.owner_now
    rows = sorted(
        (row for row in range(problem.n) if best.owner[row] != now[row]),
        key=lambda row: -int(problem.weight[row]),
    )
    if not rows:
        return ["", "Nothing moves."]
    names = (*group.member_id, UNKNOWN)
    cells = [["partition", "from", "to", "rate in" if problem.objective == "rate" else "lag"]]
    for row in rows[:_MOST_LINES]:
        tp = problem.tp[row]
        weight = (
            f"{problem.rate[row] / 1000:,.1f}"
            if problem.objective == "rate"
            else f"{problem.lag[row]:,}"
        )
        part = f"{group.topic_name[group.tp_topic[tp]]} {group.tp_partition[tp]}"
        cells.append([part, names[now[row]], names[best.owner[row]], weight])
    more = and_more(len(rows) - _MOST_LINES)
    free = len(rows) - best.moves
    are = "is no move" if free == 1 else "are no moves"
    why = "now without an owner, with two owners, or with an owner that may not keep it"
    note = [f"{free:,} of these {are}: {why}."] if free else []
    return ["", *aligned_lines(cells, 3), *more, *note]


def _frontier(plan: SearchResult) -> list[str]:
    problem, cells = plan.best.problem, [["moves", "reach", "best possible", ""]]
    for point in plan.points or ():
        if point.best is None:
            cells.append([f"{point.moves_allowed:,}", UNKNOWN, UNKNOWN, point.error or ""])
        else:
            reached = amount(problem, point.best.value), amount(problem, point.best.bound)
            cells.append([f"{point.moves_allowed:,}", *reached, nearness(point.best)])
    knee = (
        []
        if plan.knee is None
        else [f"90 % of the possible gain needs {counted(plan.knee, 'move')}."]
    )
    return [*aligned_lines(cells), *knee]


def _right_size(plan: SearchResult) -> list[str]:
    problem, size = plan.best.problem, plan.size
    assert size
    cells = [
        [f"{point.members:,}", amount(problem, point.value), amount(problem, point.bound)]
        for point in size.points
    ]
    notes = [useful_members(size)]
    if plan.within is not None:
        notes.append(members_within(size, problem, plan.within))
    return [*aligned_lines([["members", "reach", "best possible"], *cells]), *notes]


# Tables of the library.


def frontier_table(plan: SearchResult) -> "pa.Table":
    """Return a row for each number of moves.

    If no assignment keeps the limits, all values of the row are null. If the group is never
    drained, only `value` is null.
    """
    import pyarrow as pa

    points = [point_json(plan.observed, point) for point in plan.points or ()]
    return pa.table(
        {
            key: [point[key] for point in points]
            for key in ("moves_allowed", "value", "bound", "proved", "moves")
        }
    )


def sizes_table(plan: SearchResult) -> "pa.Table":
    """Return a row for each number of members."""
    import pyarrow as pa

    assert plan.size
    points = size_json(plan.size)["points"]
    return pa.table(
        {key: [point[key] for point in points] for key in ("members", "value", "bound")}
    )


def moved_table(best: SearchResult) -> "pa.Table":
    """Return the partitions that change owner, most lag first.

    Columns: topic, partition, from_member, to_member and lag. `from_member` is null if a partition
    has two owners.
    """
    plan = best.best
    owned = Assignment(np.full(plan.problem.group.tp_count, -1, dtype=np.int32))
    owned.owner[plan.problem.tp] = plan.problem.owner_now
    return moves_table(plan.problem.group, owned, plan.assignment, page_lag(plan.problem.group))
