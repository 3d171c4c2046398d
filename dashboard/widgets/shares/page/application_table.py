"""What each task assignor does in a step of a share, as it was frozen where that differs."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from evenkeel.dashboard.loading.shares import Line
from evenkeel.dashboard.tables.task_assignors import COLUMNS, frozen_cells


def show(lines: Mapping[str, Line], was: Mapping[str, Line] | None, chosen: str) -> None:
    """Draw a row for each assignor; one that throws says so."""
    heads = "".join(f"<th>{head}</th>" for head in COLUMNS)
    rows = "".join(_row(line, (was or {}).get(name), name == chosen) for name, line in lines.items())
    st.html(f'<div class="restarts downtimes"><table><thead><tr><th>Assignor</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>')


def _row(line: Line, was: Line | None, is_chosen: bool) -> str:
    note = ' <span class="note">shown</span>' if is_chosen else ""
    name = f"<th>{escape(line['assignor'])}{note}</th>"
    if line["error"]:
        said = escape(f"Kafka's own class throws {line['error']['type']}: {line['error']['message']}")
        return f'<tr>{name}<td colspan="{len(COLUMNS)}" class="worse">{said}</td></tr>'
    return f"<tr>{name}{''.join(_cell(*cell) for cell in frozen_cells(line, was))}</tr>"


def _cell(text: str, was: str) -> str:
    former = f' <span class="note">was {escape(was)}</span>' if was else ""
    return f"<td>{escape(text)}{former}</td>"
