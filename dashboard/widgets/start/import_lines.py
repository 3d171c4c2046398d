"""Every line of an upload by its reading: rejected first, then notes, then rows."""

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.tables import import_lines
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.data.words.formats import exact

_TITLES = {"Rejected": "Rejected lines", "Notes": "Notes", "Rows": "Rows"}
_WIDE = st.column_config.TextColumn(width="large")
_LINE = st.column_config.NumberColumn(format="localized", width="small")
_HEIGHT = 320


def show(found: loading.Import) -> None:
    """Draw the choice of what there is, and its first lines in the order of the input."""
    counts = found.manifest.counts
    numbers = dict(zip(_TITLES, (counts.rejected, counts.notes, counts.rows), strict=True))
    there = [kind for kind in _TITLES if numbers[kind]]
    if not there:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.empty()
        st.space("stretch")
        # The key names the upload: a choice for another one may not exist in this one.
        key = f"import-lines-{found.manifest.batch}"
        kind = st.segmented_control("Lines", there, default=there[0], required=True, key=key, label_visibility="collapsed")
    table = _table(found, kind)
    shown = f", the first {exact(len(table))}" if len(table) == loading.MOST_LINES and numbers[kind] > len(table) else ""
    blank = ", blank lines left out" if kind == "Notes" else ""
    note = f"{exact(numbers[kind])}, in the order of the input{shown}{blank}"
    heading.html(f'<b class="table-title">{_TITLES[kind]}</b> <span class="note">{note}</span>')
    if len(table):
        long_table.show(table, _TITLES[kind], {"Line": _LINE, "Reason": _WIDE, "Text": _WIDE}, _HEIGHT)


def _table(found: loading.Import, kind: str):
    batch, files = found.manifest.batch, [source.name for source in found.manifest.sources]
    if kind == "Rows":
        tables = (loading.first_lines(batch, name) for name in ("OFFSETS", "MEMBERS", "TOPICS"))
        return import_lines.rows_read(*tables, files, loading.MOST_LINES)
    return import_lines.with_reasons(found.rejected if kind == "Rejected" else loading.first_lines(batch, "NOTES"), files)
