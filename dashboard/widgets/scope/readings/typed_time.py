"""A time that a person types."""

from datetime import UTC, datetime

import streamlit as st

from dashboard.words.times import from_iso
from data.errors import SnapshotError

_FORM = "%Y-%m-%d %H:%M:%S"


def show(label: str, time: datetime | None, key: str, **look) -> str:
    """Draw an input that begins with a time, empty for none; return what it says."""
    return st.text_input(label, value=f"{time:{_FORM}}" if time else "", key=key, **look)


def read(text: str, before: datetime | None = None) -> datetime | None:
    """Return the time of a text, None of an empty one; `before` where it still says that.

    Raises
    ------
    SnapshotError
        When the text is no time.
    """
    if not text.strip():
        return None
    if before and text == f"{before:{_FORM}}":
        return before
    found = from_iso(text.strip())
    if found is None:
        raise SnapshotError(f'The time is "{text[:40]}", expected one such as {datetime.now(UTC):{_FORM}}')
    return found.replace(tzinfo=UTC)
