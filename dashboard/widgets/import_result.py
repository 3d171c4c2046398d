"""What was read: formats, lines, completeness, what is assumed, and every rejected line with its number and reason."""

from html import escape

import streamlit as st

from dashboard import loading
from dashboard.assumptions import in_words
from dashboard.formats import count, exact
from dashboard.names import literal
from dashboard.widgets import group_chooser, importing, kpi_strip, opened
from dashboard.widgets.kpi_strip import Kpi


def show(batch: str) -> bool:
    """Draw the result of an upload; return whether its group is to be compared now."""
    found = loading.imported(batch)
    manifest = found.manifest
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<b class="table-title">Read</b> <span class="note">{escape(" · ".join(manifest.formats) or "nothing was recognised")}</span>')
            st.space("stretch")
            st.button("Read something else", on_click=importing.forget, type="tertiary", icon=":material/undo:", key="forget-import")
        kpi_strip.show(_kpis(found))
        for source in manifest.sources:
            if source.refused:
                st.error(literal(source.refused))
        compared = _show_group(found) if found.groups else False
        if manifest.counts.rejected:
            _show_rejected(found)
    return compared


def _kpis(found: loading.Import) -> list[Kpi]:
    counts = found.manifest.counts
    sources = found.manifest.sources
    return [
        Kpi("Lines", exact(counts.lines), count(len(sources), "file")),
        Kpi("Rows", exact(counts.rows), "lines that say something"),
        Kpi("Notes", exact(counts.notes), "headers, blank lines, messages, repeats"),
        Kpi("Rejected", exact(counts.rejected), "listed below" if counts.rejected else "every line counts", "worse" if counts.rejected else ""),
        Kpi("Groups", exact(len(found.groups))),
    ]


def _show_group(found: loading.Import) -> bool:
    group = group_chooser.show(found)
    if group != opened.current():
        opened.open_group(group)
    view = loading.view(group)
    observed = view.observed
    known = f"{count(len(view.names), 'member')}, {count(view.comparison.group.tp_count, 'partition')}"
    words = list(dict.fromkeys(in_words(observed, path) for path in observed.assumed))
    st.markdown(f":blue-badge[Level {observed.level} of 5] {known}." + ("" if words else " Nothing is assumed."))
    if words:
        st.markdown("**Assumed**\n" + "\n".join(f"* {literal(text)}" for text in words[:8]))
    return st.button("Compare assignors", type="primary", icon=":material/arrow_forward:", icon_position="right", key="compare-import")


def _show_rejected(found: loading.Import) -> None:
    st.html(f'<b class="table-title">Rejected lines</b> <span class="note">{exact(found.rejected.num_rows)}, in the order of the input</span>')
    table = found.rejected.select(["source_file", "source_line", "reason", "text"]).rename_columns(["File", "Line", "Reason", "Text"]).to_pandas()
    columns = {
        "Line": st.column_config.NumberColumn(format="localized", width="small"),
        "Reason": st.column_config.TextColumn(width="large"),
        "Text": st.column_config.TextColumn(width="large"),
    }
    st.dataframe(table, hide_index=True, row_height=28, height=min(28 * len(table) + 38, 320), column_config=columns, alt="Rejected lines")
