"""The form that corrects the times of readings; the upload before stays as it is under its own address."""

import streamlit as st

from evenkeel.dashboard.loading.history.readings import OwnReadings, change_times
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.scope.readings import new_upload, typed_time

_MOST = 20


def show(group: Opened, found: OwnReadings) -> None:
    """Draw the button with its form: the last readings, each with its time."""
    with (
        st.popover("Correct times", icon=":material/edit:", key=f"times-{group.batch}"),
        st.form(f"times-form-{group.batch}", border=False),
    ):
        shown = found.times[-_MOST:]
        texts = [typed_time.show(_label(place, time, found), time, f"time-{group.batch}-{place}") for place, time in enumerate(shown)]
        if st.form_submit_button("Correct", key="times-correct"):
            new_upload.open_made(lambda: _corrected(group, dict(zip(shown, texts, strict=True))))


def _label(place: int, time, found: OwnReadings) -> str:
    number = len(found.times) - len(found.times[-_MOST:]) + place + 1
    return f"Reading {number}, {'time of the upload' if time in found.uploaded_at else 'as the listing or a person said'}"


def _corrected(group: Opened, texts: dict) -> Opened | None:
    """Return the upload with the times as a person wants them, None where all are as they were."""
    wanted = {time: typed_time.read(text, time) or time for time, text in texts.items()}
    changed = {time: to for time, to in wanted.items() if to != time}
    return change_times(group, changed) if changed else None
