"""The readings of an uploaded group: their times, and a button that adds a later reading."""

from collections.abc import Callable
from datetime import UTC, datetime
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import past_words
from evenkeel.dashboard.shell import importing, opened, problem
from evenkeel.dashboard.shell.loading.readings import (
    OwnReadings,
    add_later,
    change_times,
    own_readings,
)
from evenkeel.dashboard.shell.navigation import TIMELINE
from evenkeel.dashboard.times import full, local, typed, zone
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import count, duration
from evenkeel.data.timeline.reading_times import Times

_UPLOADED = "time of the upload"


def show(group: OpenGroup, line: DeltaGenerator | None = None, has_button: bool = True) -> None:
    """Draw the line with the times of an upload's readings; draw nothing for other groups.

    `line`: container to draw in. It gets a link to Timeline if there are several readings.
    `has_button`: False if the page has its own button for a later reading.
    """
    readings = own_readings(group)
    if readings is None:
        return
    with line or st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="note">{escape(_text(readings, has_button))}</span>', width="content")
        if line and readings.times[0] != readings.times[-1]:
            st.page_link(
                TIMELINE.script,
                label="Timeline",
                icon=":material/timeline:",
                help="Time lag, verdict and rates of the group in these readings",
            )
        _show_later_form(group, readings, has_button)
        if readings.has_own:
            _show_times_form(group, readings)
    for sentence in readings.odd:
        st.warning(literal(sentence))


def show_later(group: OpenGroup) -> None:
    """Draw the number of readings and the button for a later reading, if the group is an upload."""
    readings = own_readings(group)
    if readings is None:
        return
    last = full(local(readings.times[-1]))
    words = f"{count(len(readings.times), 'reading')}, {last}"
    st.html(f'<span class="note">{escape(words)}</span>', width="content")
    _show_later_form(group, readings)


def _text(readings: OwnReadings, has_button: bool) -> str:
    first, last = local(readings.times[0]), local(readings.times[-1])
    if first == last:
        zone_text = f", {_UPLOADED}" if first in readings.uploaded_at else _zone(readings)
        gain = (
            ". A later reading adds rates, the time lag and the drain time." if has_button else ""
        )
        return f"1 reading, {full(first)}{zone_text}{gain}"
    of_upload = sum(time in readings.uploaded_at for time in readings.times)
    zone_text = f", {_UPLOADED} for {of_upload} of them" if of_upload else _zone(readings)
    end = f"{last:%H:%M:%S}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M:%S}"
    span = duration((last - first).total_seconds())
    return (
        f"{count(len(readings.times), 'reading')} in {span}, {first:%Y-%m-%d %H:%M:%S} to {end}"
        f" {zone(last)}{zone_text}"
    )


def _zone(readings: OwnReadings) -> str:
    return f" ({readings.zone})" if readings.zone else ""


# The form that adds a later reading to an upload. The reading is pasted or uploaded, with its time
# if the listing has no time.


_PASTED = "pasted text"
_ASKED = "later-asked"
_WIDTH = 720
"""Width of the form in pixels. The lines of a listing are long, so its text box scrolls."""

_LATER = f"The same listing, printed at least {LEAST_SECONDS} s later"
_HELP = "If empty: the time in the listing, or else the time of the upload."


def ask_later() -> None:
    """Open the form in the next run. Use as a widget callback."""
    st.session_state[_ASKED] = True


def _show_later_form(group: OpenGroup, readings: OwnReadings, has_button: bool = True) -> None:
    """Draw the button that opens the form for a later reading, or the form itself after
    `ask_later`.

    If a reading was added, open the group with all its readings.
    """
    if st.session_state.pop(_ASKED, False):
        _show_dialog(group, readings)
        return
    if not has_button:
        return
    with st.popover(
        "Add a later reading",
        icon=":material/more_time:",
        key=f"later-{group.batch}",
        help=past_words.WAIT,
    ):
        _show_fields(group, readings)


@st.dialog("Add a later reading", width="large", icon=":material/more_time:")
def _show_dialog(group: OpenGroup, readings: OwnReadings) -> None:
    st.caption("The times below are used as the times of the two listings.")
    _show_fields(group, readings, confirms=True)


def _show_fields(group: OpenGroup, readings: OwnReadings, confirms: bool = False) -> None:
    """Draw the form for a later reading.

    `confirms`: times that the reader leaves unchanged count as confirmed.
    """
    with st.form(f"later-form-{group.batch}", border=False, width=_WIDTH):
        text = st.text_area(_LATER, height=120, key="later-paste")
        files = importing.box("or files", "later-files")
        earlier = (
            None
            if readings.has_own
            else _typed_time("Time of the open reading", readings.times[0], "later-earlier")
        )
        later = _typed_time(
            "Time of the later reading", None, "later-time", help=_HELP, placeholder="now"
        )
        pressed = st.form_submit_button("Add it", type="primary", key="later-add")
    if pressed and not (text.strip() or files):
        st.warning("No listing is pasted. Run the same command again and paste its output.")
    elif pressed:
        given = [(_PASTED, text.encode())] * bool(text.strip()) + [
            (file.name, file.getvalue()) for file in files
        ]
        open_made(lambda: _with(group, given, earlier, later, readings, confirms))


def _with(
    group: OpenGroup,
    files: list[tuple[str, bytes]],
    earlier: str | None,
    later: str,
    readings: OwnReadings,
    confirms: bool,
) -> OpenGroup:
    batch = importing.uploaded(files)
    if not confirms:
        return add_later(group, batch, Times(_changed(earlier, readings), read(later)))
    before = None if earlier is None else read(earlier, readings.times[0]) or readings.times[0]
    return add_later(group, batch, Times(before, read(later) or _of_upload(group, batch)))


def _of_upload(group: OpenGroup, batch: str) -> datetime | None:
    """Return the time of the upload; None if the listing has its own times."""
    own = own_readings(group._replace(batch=batch))
    return None if own is None or own.has_own else own.times[0]


def _changed(text: str | None, readings: OwnReadings) -> datetime | None:
    """Return the new time of the open reading, None if the reader did not change it."""
    time = None if text is None else read(text, readings.times[0])
    return None if time == readings.times[0] else time


# The form that corrects the times of readings. The uncorrected upload remains under its own
# address.


_MOST = 20


def _show_times_form(group: OpenGroup, readings: OwnReadings) -> None:
    """Draw the button "Correct times"; its form has the times of the last readings."""
    with (
        st.popover("Correct times", icon=":material/edit:", key=f"times-{group.batch}"),
        st.form(f"times-form-{group.batch}", border=False),
    ):
        shown = readings.times[-_MOST:]
        texts = [
            _typed_time(_label(place, time, readings), time, f"time-{group.batch}-{place}")
            for place, time in enumerate(shown)
        ]
        if st.form_submit_button("Correct", key="times-correct"):
            open_made(lambda: _corrected(group, dict(zip(shown, texts, strict=True))))


def _label(place: int, time, readings: OwnReadings) -> str:
    number = len(readings.times) - len(readings.times[-_MOST:]) + place + 1
    source = "time from the listing or a person"
    if time in readings.uploaded_at:
        source = "time of the upload"
    return f"Reading {number}, {source}"


def _corrected(group: OpenGroup, texts: dict) -> OpenGroup | None:
    """Return the upload with the times that the reader corrected, None if nothing changed."""
    wanted = {time: read(text, time) or time for time, text in texts.items()}
    changed = {time: to for time, to in wanted.items() if to != time}
    return change_times(group, changed) if changed else None


# A changed copy of the open upload. The copy replaces the upload in this session.


def open_made(make: Callable[[], OpenGroup | None]) -> None:
    """Call `make` and open the group that it returns. If `make` raises an error, draw the error."""
    try:
        made = make()
    except SnapshotError as error:
        problem.show(str(error))
        return
    if made is not None:
        importing.take_over(made.batch)
        opened.open_group(made)
        st.rerun()


# A time that a person types, in the zone of the page or in a zone named in the text.


_FORM = "%Y-%m-%d %H:%M:%S"


def _typed_time(label: str, time: datetime | None, key: str, **look) -> str:
    """Draw a text input for a time, with the zone in its label; return its text.

    `time`: the initial time, None for an empty input.
    """
    label = f"{label}, {zone(time or datetime.now(UTC))}"
    return st.text_input(label, value=f"{local(time):{_FORM}}" if time else "", key=key, **look)


def read(text: str, before: datetime | None = None) -> datetime | None:
    """Return the time in a text; None if the text is empty.

    `before`: the initial time, returned if the text was not changed.

    Raises
    ------
    SnapshotError
        If the text is not a time.
    """
    if not text.strip():
        return None
    if before and text == f"{local(before):{_FORM}}":
        return before
    time = typed(text.strip())
    if time is None:
        raise SnapshotError(
            f'The time is "{text[:40]}", expected a time such as {local(datetime.now(UTC)):{_FORM}}'
        )
    return time
