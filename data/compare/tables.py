"""The comparison as rows of `--json` and as a text table: figures, bounds and remarks."""

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
    figure_input,
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
from evenkeel.data.group.lag_words import lag_notes
from evenkeel.data.scenarios.assumption_words import in_nouns, in_words_all
from evenkeel.data.scenarios.input_faults import about_input
from evenkeel.data.scenarios.leaders import is_in_use
from evenkeel.data.scenarios.switch_steps import where_it_comes_from
from evenkeel.data.text.formats import UNKNOWN, exact


class Figures(NamedTuple):
    """The figures of one row of a comparison.

    `row`: the row of `--json`, with all `FIGURES`. `bounds`: lower and upper bound of each inexact
    figure. `has_no_lag`: no member has lag, so a ratio of lags does not exist.
    """

    row: dict[str, Any]
    bounds: Mapping[str, Bounds]
    has_no_lag: bool

    def within(self, figure: str) -> Bounds | None:
        """Return the bounds of a figure; None if the figure is unknown."""
        value = self.row[figure]
        return self.bounds.get(figure, None if value is None else Bounds(value, value))

    def does_not_exist(self, figure: str) -> bool:
        """Return whether the figure is a ratio of lags and no member has lag."""
        return self.has_no_lag and figure in FIGURES and FIGURES[figure].unit == Unit.RATIO


def told_of(row: Row, facts: Facts | None) -> FigureInput:
    """Return the data from which the figures of `row` are computed.

    If the moves are unknown, all figures about the switch to the assignor are unknown.
    """
    return figure_input(row, (facts or NO_FACTS).switch if row.moves else None)


def figures_of(
    observed: ObservedGroup,
    row: Row,
    facts: Facts | None,
    assignor: type[Assignor] | None,
    seen: FigureInput | None = None,
    name_of: Callable[[int], str] | None = None,
) -> Figures:
    """Return the figures of a row. The figures are null if the assignor failed.

    `assignor`: None for the current assignment. `seen`: data for the figures; None: the data of
    `row`. `name_of`: returns the shown name of a member; None: member ids are shown.
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
    """Add the lag to the figures of a group without members or with unknown owners."""
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


# Remarks on a row: endless rounds, Kafka's quirks, and answers that depend on unknown inputs.


def remarks(
    observed: ObservedGroup,
    row: Row,
    facts: Facts | None,
    unknown: Sequence[str],
    name_of: Callable[[int], str] | None = None,
) -> list[str]:
    """Return the remarks on a row: one sentence for each remark.

    `unknown`: unknown inputs that can change the answer. `name_of`: returns the shown name of the
    member with this row number; None: the member id is shown.
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
    "The input names no members, so there is nothing to compare. Add the output of --describe"
    " --members, or of --describe while the group runs."
)
_NOT_RUNNING = (
    "No consumer is running: the group has no active members, so there is nothing to compare. Its"
    " lag grows until one starts."
)


def comparison_table(
    observed: ObservedGroup, figures: Sequence[Figures], sentences: Sequence[str]
) -> str:
    """Return the text of `evenkeel compare`. First `sentences` and a line about the group, then a
    line for each assignment, then the remarks, then the assumptions.

    If the group has no members, a sentence replaces the lines of the assignments. If some lags are
    unknown, lags are shown as lower bounds (`≥ 2,245`), and ratios of lags as `≈ 1.43`.
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
    """Return a line for each remark: the names of assignors, then the remark about them."""
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
    """Return a line about a group: its name, state, size and age."""
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
    """Return facts about the lag: the number of unknown lags, and notes.

    If the group has no members, also the total lag; otherwise the table shows the total lag.
    """
    unknown, total = (
        int(np.count_nonzero(lag == UNKNOWN_LAG)),
        None if observed.is_named_alone else total_lag(lag),
    )
    is_partial = 0 < unknown < lag.size
    whole = f"lag {'≥ ' * is_partial}{exact(total)}"
    # The line already has the number of unknown lags.
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
