"""A time that a person types, in the zone in which the pages say times, or in the zone that it names."""

from datetime import UTC, datetime

import streamlit as st

from evenkeel.dashboard.words.times import local, typed, zone
from evenkeel.data.errors import SnapshotError

_FORM = "%Y-%m-%d %H:%M:%S"


def show(label: str, time: datetime | None, key: str, **look) -> str:
    """Draw an input that begins with a time, empty for none; return what it says. The label gets the zone."""
    label = f"{label}, {zone(time or datetime.now(UTC))}"
    return st.text_input(label, value=f"{local(time):{_FORM}}" if time else "", key=key, **look)


def read(text: str, before: datetime | None = None) -> datetime | None:
    """Return the time of a text, None of an empty one; `before` where it still says that.

    Raises
    ------
    SnapshotError
        When the text is no time.
    """
    if not text.strip():
        return None
    if before and text == f"{local(before):{_FORM}}":
        return before
    found = typed(text.strip())
    if found is None:
        raise SnapshotError(f'The time is "{text[:40]}", expected one such as {local(datetime.now(UTC)):{_FORM}}')
    return found
