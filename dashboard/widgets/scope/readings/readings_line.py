"""The line of an upload: of when its readings are, and the way to add a later one."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.loading.history.readings import OwnReadings, own_readings
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.scope.readings import later_form, times_form
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.times import full, local, zone
from evenkeel.data.words.formats import count, duration

_UPLOADED = "time of the upload"
_TIMELINE = "app_pages/timeline.py"


def show(group: Opened, line: DeltaGenerator | None = None) -> None:
    """Draw it; nothing for what is no upload. `line`: another one, then with the way to Timeline, where readings show most."""
    found = own_readings(group)
    if found is None:
        return
    with line or st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="note">{escape(_text(found))}</span>', width="content")
        if line and found.times[0] != found.times[-1]:
            st.page_link(_TIMELINE, label="Timeline", icon=":material/timeline:", help="Verdict, rates and time lag over these readings")
        later_form.show(group, found)
        if found.has_own:
            times_form.show(group, found)
    for sentence in found.odd:
        st.warning(literal(sentence))


def _text(found: OwnReadings) -> str:
    first, last = local(found.times[0]), local(found.times[-1])
    if first == last:
        told = f", {_UPLOADED}" if first in found.uploaded_at else _zone(found)
        return f"1 reading, {full(first)}{told}. A later one adds rates, time lag and when the group drains."
    of_upload = sum(time in found.uploaded_at for time in found.times)
    told = f", {_UPLOADED} for {of_upload} of them" if of_upload else _zone(found)
    end = f"{last:%H:%M:%S}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M:%S}"
    span = duration((last - first).total_seconds())
    return f"{count(len(found.times), 'reading')} in {span}, {first:%Y-%m-%d %H:%M:%S} to {end} {zone(last)}{told}"


def _zone(found: OwnReadings) -> str:
    return f" ({found.zone})" if found.zone else ""
