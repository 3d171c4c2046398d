"""Tables of the pages as static HTML, for notebooks and mails: no scripts and no colours."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from evenkeel.assignors.compare.comparison import Row
from evenkeel.dashboard.compare.tables import assignor_columns, assignor_rows
from evenkeel.dashboard.steps.tables import step_columns, step_rows
from evenkeel.data.compare.answer import ComparisonResult
from evenkeel.data.compare.task_table import task_cells
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.run.step_figures import figures_of_result
from evenkeel.data.text.formats import UNKNOWN

_STYLE = (
    "table.evenkeel{border-collapse:collapse;font-variant-numeric:tabular-nums}table.evenkeel"
    " :is(th,td){text-align:right;padding:.2em .6em;white-space:nowrap;border:0;border-bottom:1px"
    " solid currentColor}table.evenkeel :is(th,td):first-child{text-align:left}table.evenkeel"
    " .best{font-weight:700}table.evenkeel .quiet,table.evenkeel small{opacity:.65}"
)


def comparison_html(compared: ComparisonResult) -> str:
    """Return the table of Assignors, or of a step of What-if, with the diagnosis above the table.

    A group without members has no table; only the sentences that say why are returned.
    """
    sentences = compared.sentences
    about, *rest = compared.table().rstrip("\n").split("\n")[len(sentences) :]
    notes = "\n".join(rest).split("\n\n")
    group = compared.subject
    if isinstance(group, Application):
        heads, *tasks = task_cells(compared.rows)
        return _page([_plain(heads, tasks)], about, [], notes[1:])
    if not group.snapshot.member_count:
        return _page([], about, [*sentences, *rest])
    columns, rows = (
        _of_step(compared) if compared.result is not None else _as_listed(compared, group)
    )
    body = "".join(f"<tr>{_row(row, columns)}</tr>" for row in rows)
    return _page([_table(_heads(columns), body)], about, sentences, notes[2:])


def rows_html(
    names: Sequence[str], rows: Iterable[Sequence[object]], below: Sequence[str] = ()
) -> str:
    """Return rows with any contents as a table; None is shown as `–`."""
    return f"<style>{_STYLE}</style>{_plain(names, rows)}" + "".join(
        f"<p><small>{escape(text)}</small></p>" for text in below
    )


def _plain(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    heads = "".join(_head({"label": name}) for name in names)
    body = "".join(
        f"<tr>{''.join(_cell({'text': _shown(value)}) for value in row)}</tr>" for row in rows
    )
    return _table(f"<tr>{heads}</tr>", body)


def _shown(value: object) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _as_listed(compared: ComparisonResult, group: ObservedGroup) -> tuple[list[dict], list[dict]]:
    answers = [answer for answer in compared.answers.values() if isinstance(answer, Row)]
    rows = assignor_rows(
        answers, group.snapshot.tp_count, compared.facts, group.group_type, in_use(group)
    )
    return assignor_columns(is_timed=False)[1:], [row | {"cells": row["cells"][1:]} for row in rows]


def _of_step(compared: ComparisonResult) -> tuple[list[dict], list[dict]]:
    figures, listed = figures_of_result(compared.result), compared.result.listed
    return step_columns(figures), step_rows(
        figures, compared.step, in_use(listed), group_type=listed.group_type
    )


def _page(
    tables: Sequence[str], title: str, above: Sequence[str], below: Sequence[str] = ()
) -> str:
    texts = "".join(f"<p>{escape(text)}</p>" for text in above if text)
    notes = "".join(
        f"<p><small>{'<br>'.join(map(escape, text.splitlines()))}</small></p>"
        for text in below
        if text
    )
    return f"<style>{_STYLE}</style><p><b>{escape(title)}</b></p>{texts}{''.join(tables)}{notes}"


def _table(heads: str, body: str) -> str:
    return f'<table class="evenkeel"><thead>{heads}</thead><tbody>{body}</tbody></table>'


def _has_text(column: Mapping[str, Any]) -> bool:
    """Return whether a column has texts. Columns with bars are not part of a static table."""
    return bool(column["label"])


def _heads(columns: Sequence[Mapping[str, Any]]) -> str:
    """Return the two header rows: titles shared by neighbouring columns, then names of the
    columns.
    """
    kept_columns = list(filter(_has_text, columns))
    groups = [
        (over, len(list(some))) for over, some in groupby(column["over"] for column in kept_columns)
    ]
    above = "".join(
        f'<th colspan="{count}"><small>{escape(over)}</small></th>' for over, count in groups
    )
    return (
        f"<tr><th></th>{above}</tr><tr>"
        f"{''.join(map(_head, [{'label': 'Assignor'}, *kept_columns]))}</tr>"
    )


def _head(column: Mapping[str, Any]) -> str:
    return f'<th title="{escape(column.get("help", ""))}">{escape(column["label"])}</th>'


def _row(row: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> str:
    notes = " · ".join(filter(None, (row.get("note"), row.get("inUse"), row.get("warning"))))
    name = f"<td>{escape(row['name'])}{f' <small>{escape(notes)}</small>' if notes else ''}</td>"
    if row["error"]:
        return f'{name}<td colspan="{sum(map(_has_text, columns))}">{escape(row["error"])}</td>'
    return name + "".join(
        _cell(cell) for cell, column in zip(row["cells"], columns, strict=True) if _has_text(column)
    )


def _cell(cell: Mapping[str, Any]) -> str:
    title = f' title="{escape(cell["title"])}"' if cell.get("title") else ""
    look = f' class="{escape(cell["className"])}"' if cell.get("className") else ""
    return f"<td{look}{title}>{escape(cell['text'])}</td>"
