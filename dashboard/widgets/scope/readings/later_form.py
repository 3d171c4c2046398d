"""The form that adds a later reading to an upload: pasted or as files, with its time where the listing has none."""

from datetime import datetime

import streamlit as st

from evenkeel.dashboard.loading.history.readings import OwnReadings, add_later
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import uploading
from evenkeel.dashboard.widgets.scope.readings import new_upload, typed_time
from evenkeel.data.scenarios.history.reading_times import Times

_PASTED = "pasted text"
_WIDTH = 720
"""Pixels: a line of a listing is long."""

_HELP = "Empty: the time in the listing, else that of the upload."


def show(group: Opened, found: OwnReadings) -> None:
    """Draw the button with its form; open the group with all readings where one was added."""
    with st.popover("Add a later reading", icon=":material/more_time:", key=f"later-{group.batch}"):
        with st.form(f"later-form-{group.batch}", border=False, width=_WIDTH):
            text = st.text_area("The same listing, printed later", height=120, key="later-paste")
            files = uploading.box("or files", "later-files")
            earlier = None if found.has_own else typed_time.show("Time of the open reading", found.times[0], "later-earlier")
            later = typed_time.show("Time of the later reading", None, "later-time", help=_HELP, placeholder="now")
            pressed = st.form_submit_button("Add it", type="primary", key="later-add")
        if pressed and not (text.strip() or files):
            st.warning("Nothing is pasted yet: run the same command again and paste what it prints.")
        elif pressed:
            given = [(_PASTED, text.encode())] * bool(text.strip()) + [(file.name, file.getvalue()) for file in files]
            new_upload.open_made(lambda: _with(group, given, earlier, later, found))


def _with(group: Opened, files: list[tuple[str, bytes]], earlier: str | None, later: str, found: OwnReadings) -> Opened:
    said = Times(_changed(earlier, found), typed_time.read(later))
    return add_later(group, uploading.uploaded(files), said)


def _changed(text: str | None, found: OwnReadings) -> datetime | None:
    """Return the time of the open reading where a person has said another."""
    time = None if text is None else typed_time.read(text, found.times[0])
    return None if time == found.times[0] else time
