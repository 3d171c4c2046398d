"""Comparisons as `--json` writes them and as tables for people: a row's figures, their certainty,
and remarks.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import REQUEST_ERROR
from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.assignors.compare.facts import NO_FACTS, Facts
from evenkeel.assignors.compare.figure import (
    FIGURES,
    Bounds,
    FigureInput,
    Unit,
    bounds,
    told,
    values_of,
)
from evenkeel.assignors.compare.quirks import REMAINDER, Quirk
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag, total_lag
from evenkeel.assignors.protocol import CONSUMER, Assignor
from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.compare.figure_words import WORDS, decimals
from evenkeel.data.compare.quirk_words import sentence, why_endless
from evenkeel.data.group.columns import assumed_paths
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.group.lag_words import lag_notes
from evenkeel.data.scenarios.assumption_words import in_nouns, in_words_all
from evenkeel.data.scenarios.input_faults import about_input
from evenkeel.data.scenarios.leaders import is_in_use
from evenkeel.data.scenarios.run.application_step import (
    NO_FIGURES,
    TaskStep,
    assumed_of_step,
    figures_as_listed,
    figures_of_step,
    task_assignor,
)
from evenkeel.data.scenarios.run.results import ApplicationResult
from evenkeel.data.scenarios.switch_steps import where_it_comes_from
from evenkeel.data.text.formats import UNKNOWN, exact


class Figures(NamedTuple):
    """`row`: as in `--json`, with every figure of `FIGURES`. `bounds`: bounds of inexact figures.

    `has_no_lag`: no member is behind, so ratios of lags do not exist.
    """

    row: dict[str, Any]
    bounds: Mapping[str, Bounds]
    has_no_lag: bool

    def within(self, figure: str) -> Bounds | None:
        """Return the bounds of a figure, None if nothing of it is known."""
        value = self.row[figure]
        return self.bounds.get(figure, None if value is None else Bounds(value, value))

    def does_not_exist(self, figure: str) -> bool:
        """Return whether the row certainly has no such figure."""
        return self.has_no_lag and figure in FIGURES and FIGURES[figure].unit == Unit.RATIO


def told_of(row: Row, facts: Facts | None) -> FigureInput:
    """Return a row in the form that figures need; the way there is unknown if the owners are."""
    return told(row, (facts or NO_FACTS).switch if row.moves else None)


def figures_of(
    observed: ObservedGroup,
    row: Row,
    facts: Facts | None,
    assignor: type[Assignor] | None,
    seen: FigureInput | None = None,
    name_of: Callable[[int], str] | None = None,
) -> Figures:
    """Return the figures of a row; null for a failed assignor. `assignor` None for the current
    assignment.

    `seen`: replaces the row as the figures' input. `name_of`: as in `remarks`.
    """
    switch = (facts or NO_FACTS).switch if row.moves else None
    seen = seen or told_of(row, facts)
    never_ends = switch.is_endless if switch and (switch.is_settled or switch.is_endless) else None
    assumed = (
        []
        if row.error
        else assumed_paths(observed, None if row.name == CURRENT else row.assignment)
    )
    quirks = [quirk.name for quirk in facts.quirks if quirk.name != REMAINDER] if facts else []
    flags = {
        "never_ends": never_ends,
        "in_use": is_in_use(observed, assignor) if assignor else None,
        "quirks": quirks,
        "remarks": remarks(observed, row, facts, in_nouns(assumed), name_of),
        "assumed": assumed,
        "error": {"type": row.error.java_class, "message": str(row.error)} if row.error else None,
    }
    has_no_lag = (
        row.balance is not None and row.balance.worst_lag == 0 and not row.balance.lag_is_partial
    )
    figures = Figures({"assignor": row.name, **values_of(seen), **flags}, bounds(seen), has_no_lag)
    has_owners = observed.current is not None and observed.snapshot.member_count
    return figures if row.name != CURRENT or has_owners else _with_lag(figures, observed)


def _with_lag(figures: Figures, observed: ObservedGroup) -> Figures:
    """Return figures of a group without members or with unknown owners; its lag is known."""
    lag = page_lag(observed.snapshot)
    total, unknown = (
        None if observed.is_named_alone else total_lag(lag),
        int(np.count_nonzero(lag == UNKNOWN_LAG)),
    )
    unread = None if observed.snapshot.member_count else total
    at_least = {} if total is None or not unknown else {"total_lag": Bounds(total)}
    return figures._replace(
        row=figures.row
        | {"total_lag": total, "unread_lag": unread, "unknown_lag_partitions": unknown},
        bounds={**figures.bounds, **at_least},
    )


# Remarks on the rows of a comparison: rounds that never end, Kafka's surprises, one valid outcome
# of several.


def remarks(
    observed: ObservedGroup,
    row: Row,
    facts: Facts | None,
    unknown: Sequence[str],
    name_of: Callable[[int], str] | None = None,
) -> list[str]:
    """Return the remarks on a row, a sentence each; `unknown`: unknown inputs that decide its
    answer. `name_of`: a member's name by its row, by default its id.
    """
    known_facts = facts or NO_FACTS
    texts = (
        [f"never ends: {why_endless(known_facts.switch.is_refused)}"]
        if known_facts.switch and known_facts.switch.is_endless
        else []
    )
    texts += (
        [f"fails in a later round, {known_facts.later_error.java_class}: {known_facts.later_error}"]
        if known_facts.later_error
        else []
    )
    name_of = name_of or observed.snapshot.member_id.__getitem__
    texts += [_surprise(observed, quirk, row, name_of) for quirk in known_facts.quirks]
    if row.name != CURRENT and row.assignment and (unknown := [*unknown, *known_facts.unknown]):
        texts.append(f"one valid outcome of several; unknown: {', '.join(unknown)}")
    return texts + _protocol(observed, row.name)


def _surprise(
    observed: ObservedGroup, quirk: Quirk, row: Row, name_of: Callable[[int], str]
) -> str:
    group = observed.snapshot
    members = [name_of(member) for member in np.unique(quirk.member).tolist()]
    topics = [group.topic_name[topic] for topic in np.unique(quirk.topic)]
    return sentence(row.name, quirk.name, members, topics, row.error).removesuffix(".")


def _protocol(observed: ObservedGroup, name: str) -> list[str]:
    if name not in ASSIGNORS:
        return []
    assignor = ASSIGNORS[name]
    label = f" ({assignor.label})" if assignor.label else ""
    if not assignor.is_in_kafka:
        return (
            []
            if is_in_use(observed, assignor)
            else [f"not in Kafka: {where_it_comes_from(assignor)}{label}"]
        )
    return (
        [f"the broker assigns{label}: needs group.protocol=consumer"]
        if assignor.group_type == CONSUMER
        else []
    )


# The comparison of a group as a table for people.


_NOT_NAMED = (
    "The input names no members, so there is nothing to compare: add what --describe prints while"
    " the group runs, or --describe --members."
)
_NOT_RUNNING = (
    "No consumer is running: the group has no active members, so there is nothing to compare. Its"
    " lag grows until one starts."
)


def comparison_table(
    observed: ObservedGroup, figures: Sequence[Figures], sentences: Sequence[str]
) -> str:
    """Return the sentences, the group, one line for each assignment with right-aligned numbers, the
    remarks on the rows and the assumptions.

    A group without members has no table: one sentence says why. An inexact figure shows its least
    value, `≥ 2,245`; a ratio of the known lags is `≈ 1.43`.
    """
    rows = [row_figures.row for row_figures in figures]
    has_members = bool(observed.snapshot.member_count)
    assumed = in_words_all(observed, sorted({path for row in rows for path in row["assumed"]}))
    notes = [f"assumed: {'; '.join(assumed)}"] if assumed else []
    notes_of_rows = _remarks(rows) if has_members else []
    notes = [""] * bool(notes_of_rows) + notes_of_rows + [""] * bool(notes) + notes
    notes += [f"input: {fault}" for fault in about_input(observed)]
    lines = (
        _table(figures)
        if has_members
        else [_NOT_NAMED if observed.may_have_members else _NOT_RUNNING]
    )
    return (
        "\n".join([printable(line) for line in (*sentences, about(observed), "", *lines, *notes)])
        + "\n"
    )


def _table(figures: Sequence[Figures]) -> list[str]:
    columns = {
        key: WORDS[key].command
        for key in FIGURES
        if key in WORDS and WORDS[key].command and _has_column(figures, key)
    }
    cells = [["assignor", *columns.values()]] + [
        [row_figures.row["assignor"], *(_cell(row_figures, key) for key in columns)]
        for row_figures in figures
    ]
    lines, width = aligned_lines(cells), max(len(row[0]) for row in cells)
    for place, row_figures in enumerate(figures, 1):
        if row_figures.row["error"]:
            lines[place] = f"{row_figures.row['assignor']:<{width}}  {_why(row_figures.row)}"
    return lines


def _has_column(figures: Sequence[Figures], key: str) -> bool:
    return not WORDS[key].is_rare or any(row_figures.row[key] for row_figures in figures)


def _remarks(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each remark; rows with the same remark share it."""
    names: dict[str, list[str]] = {}
    for row in rows:
        for remark in row["remarks"]:
            names.setdefault(remark, []).append(row["assignor"])
    return [f"{', '.join(of)}: {remark}" for remark, of in names.items()]


def _why(row: Mapping[str, Any]) -> str:
    error = row["error"]
    message = error["message"].removeprefix(f"{row['assignor']}: ")
    return message if error["type"] == REQUEST_ERROR else f"{error['type']}: {message}"


def about(observed: ObservedGroup) -> str:
    """Return a group in one line: its name, state, size and age."""
    group = observed.snapshot
    name = "group without a name" if observed.group_id is None else observed.group_id
    is_known = observed.partition_count is not None
    topics = int(np.count_nonzero(group.topic_known)) if is_known else None
    facts = [
        f"{noun} {exact(number)}"
        for noun, number in (
            ("members", observed.member_count),
            ("topics", topics),
            ("partitions", observed.partition_count),
        )
    ]
    stated = [fact for fact in (observed.group_state, observed.assignor) if fact]
    facts += _lag(observed, page_lag(group))
    taken = [f"as of {observed.taken_at:%Y-%m-%d %H:%M:%S %Z}"] if observed.taken_at else []
    return " · ".join([name, *stated, *facts, *taken])


def _lag(observed: ObservedGroup, lag: np.ndarray) -> list[str]:
    """Return the lag of a group without members (no row has it), and its number of partitions with
    unknown lag.
    """
    unknown, total = (
        int(np.count_nonzero(lag == UNKNOWN_LAG)),
        None if observed.is_named_alone else total_lag(lag),
    )
    is_partial = 0 < unknown < lag.size
    whole = f"lag {'≥ ' * is_partial}{exact(total)}"
    # The number of unknown lags is already in the line.
    notes = [note for note in lag_notes(observed.snapshot) if not note.endswith("unknown")]
    return [
        *[whole] * (not observed.snapshot.member_count),
        *[f"unknown lags {unknown:,}"] * is_partial,
        *notes,
    ]


def _cell(row: Figures, figure: str) -> str:
    value, bounds = row.row[figure], row.bounds.get(figure)
    if value is None:
        return UNKNOWN
    if figure == "rounds" and bounds:
        return "∞" if bounds.low == math.inf else f"> {value:,}"
    if bounds and bounds.high == math.inf:
        return f"≥ {math.floor(value):,}"
    return "≈ " * bool(bounds) + f"{value:,.{decimals(FIGURES[figure])}f}"


# A comparison of task assignors: its rows, and a table for people.


_TASK_COLUMNS = {
    "max_active_tasks": "max active",
    "min_active_tasks": "min",
    "max_stateful_tasks": "max stateful",
    "min_stateful_tasks": "min",
    "standby_tasks": "standbys",
    "warmup_tasks": "warm-ups",
    "moved_tasks": "moved",
    "records_to_restore": "records to restore",
    "seconds_to_restore": "s to restore",
    "tasks_without_caught_up_copy": "no caught-up copy",
    "rounds": "rounds",
    "seconds_to_balance": "s to balance",
    "probing_rebalance": "probing",
}


def task_rows(result: ApplicationResult, step: int) -> list[Figures]:
    """Return the figures before a step, then after it by each assignor; before a later step than
    the first they are unknown.
    """
    answers, document = result.steps[step], result.scenario.group
    lag = task_assignor(next(iter(answers)), document.settings).acceptable_recovery_lag
    before = figures_as_listed(document, lag) if step <= 1 else NO_FIGURES
    current = Figures({"assignor": CURRENT, **before, "assumed": [], "error": None}, {}, False)
    return [current, *map(_figures, answers.values())]


def _figures(step: TaskStep) -> Figures:
    error = {"type": step.error.java_class, "message": str(step.error)} if step.error else None
    return Figures(
        {
            "assignor": step.name,
            **figures_of_step(step),
            "assumed": assumed_of_step(step),
            "error": error,
        },
        {},
        False,
    )


def task_table(document: Application, figures: Sequence[Figures]) -> str:
    """Return a line for the application, a line for each assignment with right-aligned numbers, and
    the assumptions.
    """
    rows, cells = [row_figures.row for row_figures in figures], task_cells(figures)
    lines, width = aligned_lines(cells), max(len(row[0]) for row in cells)
    for place, row in enumerate(rows, 1):
        if row["error"]:
            lines[place] = (
                f"{row['assignor']:<{width}}  {row['error']['type']}: {row['error']['message']}"
            )
    assumed = sorted({path for row in rows for path in row["assumed"]})
    notes = ["", f"assumed: {', '.join(assumed)}"] if assumed else []
    return (
        "\n".join(printable(line) for line in (about_application(document), "", *lines, *notes))
        + "\n"
    )


def task_cells(figures: Sequence[Figures]) -> list[list[str]]:
    """Return the cells of the table, its header first."""
    rows = (
        [
            row_figures.row["assignor"],
            *(_task_cell(row_figures.row[figure]) for figure in _TASK_COLUMNS),
        ]
        for row_figures in figures
    )
    return [["assignor", *_TASK_COLUMNS.values()], *rows]


def about_application(document: Application) -> str:
    """Return an application in one line."""
    tasks, processes = document.tasks or [], document.processes or []
    facts = {
        "processes": len(processes),
        "consumers": sum(len(process.consumers) for process in processes),
        "tasks": len(tasks),
        "stateful": sum(task.stateful for task in tasks),
    }
    name = (
        "application without a name" if document.application_id is None else document.application_id
    )
    taken = [f"as of {document.taken_at:%Y-%m-%d %H:%M:%S %Z}"] if document.taken_at else []
    return " · ".join([name, *(f"{noun} {number:,}" for noun, number in facts.items()), *taken])


def _task_cell(value: Any) -> str:
    if value is None:
        return UNKNOWN
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:,.0f}"
