"""The form that corrects the times of readings; the upload before stays as it is under its own address."""

import streamlit as st

from dashboard.loading.history.own_readings import OwnReadings, change_times
from dashboard.view import Opened
from dashboard.widgets.opening import importing, opened
from dashboard.widgets.parts import problem
from dashboard.widgets.scope.readings import typed_time
from data.errors import SnapshotError

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
            _correct(group, dict(zip(shown, texts, strict=True)))


def _label(place: int, time, found: OwnReadings) -> str:
    number = len(found.times) - len(found.times[-_MOST:]) + place + 1
    return f"Reading {number}, UTC, {'time of the upload' if time in found.uploaded_at else 'as the listing or a person said'}"


def _correct(group: Opened, texts: dict) -> None:
    try:
        wanted = {time: typed_time.read(text, time) or time for time, text in texts.items()}
        changed = {time: to for time, to in wanted.items() if to != time}
        if not changed:
            return
        other = change_times(group, changed)
    except SnapshotError as error:
        problem.show(str(error))
        return
    importing.take_over(other.batch)
    opened.open_group(other)
    st.rerun()
