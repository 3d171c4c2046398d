"""The result of an upload: formats, lines, completeness, assumptions, errors of the tool, and every line with its reading."""

from html import escape

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.history.speeds import is_rated
from evenkeel.dashboard.widgets.opening import importing, opened
from evenkeel.dashboard.widgets.parts import kpi_strip, problem
from evenkeel.dashboard.widgets.parts.kpi_strip import Kpi
from evenkeel.dashboard.widgets.scope import rebalancing
from evenkeel.dashboard.widgets.start import group_chooser, import_lines, other_moments
from evenkeel.dashboard.words.inputs import EXPLAINED, in_words_all, level_words, reached
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.times import full, local
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.console.exact.lines import needed
from evenkeel.data.sources.numbers import NO_NUMBER
from evenkeel.data.words.formats import UNKNOWN, count, exact, first_of

_MOST_WORDS = 8
_MOST_ERRORS = 3


def show(batch: str) -> bool:
    """Draw the result of an upload, or why it cannot be read; return whether its group is compared next."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            title = st.empty()
            st.space("stretch")
            st.button("Read something else", on_click=importing.forget, type="tertiary", icon=":material/undo:", key="forget-import")
        try:
            found = loading.imported(batch)
            formats = escape(" · ".join(found.manifest.formats) or "nothing was recognised")
            title.html(f'<b class="table-title">Read</b> <span class="note">{formats}</span>')
            return _show(found)
        except SnapshotError as error:
            problem.show(str(error))
            return False


def _show(found: loading.Import) -> bool:
    kpi_strip.show(_kpis(found))
    for source in found.manifest.sources:
        if source.refused:
            problem.show(source.refused)
    _show_errors(found)
    other_moments.show(found.rejected)
    compared = _show_group(found) if found.groups else problem.show_no_group(needed(found.rejected["reason"].to_pylist()), _number(found))
    import_lines.show(found)
    return compared


def _number(found: loading.Import) -> str | None:
    """Return the first line that was rejected only because of a number."""
    rows = found.rejected.select(["source_line", "reason"]).to_pylist()
    return next((f"line {exact(row['source_line'])}: {row['reason']}" for row in rows if NO_NUMBER in row["reason"]), None)


def _kpis(found: loading.Import) -> list[Kpi]:
    counts = found.manifest.counts
    sources = found.manifest.sources
    rejected = "listed below" if counts.rejected else "every line was read"
    return [
        Kpi("Lines", exact(counts.lines), count(len(sources), "file")),
        Kpi("Rows", exact(counts.rows), "lines with data"),
        Kpi("Notes", exact(counts.notes), "headers, blank lines, messages, repeats"),
        Kpi("Rejected", exact(counts.rejected), rejected, "worse" * bool(counts.rejected)),
        Kpi("Groups", exact(len(found.groups))),
    ]


def _show_group(found: loading.Import) -> bool:
    group, picked = group_chooser.show(found)
    look = {"type": "primary", "icon": ":material/arrow_forward:", "icon_position": "right"}
    pressed = st.button("Compare assignors", key="compare-import", **look) or picked
    if pressed:
        opened.open_group(group)
    rebalancing.show(group)
    view = loading.view(group)
    observed = view.observed
    words = [] if observed.is_named_alone else in_words_all(observed, observed.assumed)
    sizes = f"{count(observed.member_count, 'member')}, {count(observed.partition_count, 'partition')}"
    known = f"{UNKNOWN} lag, {sizes}" if observed.is_named_alone else f"{sizes}. {EXPLAINED if words else 'Nothing is assumed.'}"
    known = f"{group.group_id or group.source_file}: {known}" if len(found.groups) > 1 else known
    lines = "".join(f"<li>{escape(text)}</li>" for text in first_of(words, _MOST_WORDS))
    with st.container(horizontal=True, vertical_alignment="center"):
        has_rates = is_rated(view)
        st.badge(level_words(reached(observed, has_rates, view.is_certain), has_rates), color="blue")
        st.html(f'<span class="note">{escape(known)}</span>')
    if lines:
        st.html(f'<ul class="assumed">{lines}</ul>')
    times = list(loading.moments(group, [group.batch]).values())
    if len(times) > 1:
        span = f"{count(len(times), 'moment')} from {local(times[-1]):%Y-%m-%d %H:%M:%S} to {full(times[0])}"
        st.caption(f"{span}. The pages show the latest; Timeline shows all, “Since” on Moves compares it with an earlier one.")
    if observed.is_named_alone:
        problem.show_named_alone(observed.group_id)
    return pressed


def _show_errors(found: loading.Import) -> None:
    """Draw the errors that the tool itself reported: rows may be missing because of them."""
    several = len(found.manifest.sources) > 1
    errors = found.errors.slice(0, _MOST_ERRORS).to_pylist()
    said = "".join(f"\n* line {exact(row['source_line'])}{_file(row, several)}: {literal(row['text'])}" for row in errors)
    more = f"\n* and {exact(found.errors.num_rows - _MOST_ERRORS)} more, below" if found.errors.num_rows > _MOST_ERRORS else ""
    if said:
        st.warning(f"The tool that printed this reported errors; rows may be missing:\n{said}{more}")


def _file(row: dict, several: bool) -> str:
    return f" of {literal(row['source_file'])}" if several else ""
