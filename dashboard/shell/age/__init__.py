"""How old a reading is, counted in the browser; once a refresh is overdue, `page.css` greys the
badges that it made true.
"""

from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.shell.component import component
from evenkeel.dashboard.times import local, moment

_component = component("age", Path(__file__).with_name("age.html"))


def show(
    read_at: datetime,
    due_seconds: float | None = None,
    word: str = "as of",
    shown_from: float = 0.0,
) -> None:
    """Draw when something was read and its age; each of a page has a word of its own.

    Parameters
    ----------
    due_seconds : float, optional
        The age from which a refresh is overdue; without it none is expected.
    shown_from : float
        A lower age is not worth saying.
    """
    now = datetime.now(UTC)
    seconds = max((now - read_at).total_seconds(), 0.0)
    times = {"id": read_at.isoformat(), "seconds": seconds, "due": due_seconds, "from": shown_from}
    _component(
        key=f"age {word}",
        data={"word": word, "text": f"{word} {moment(read_at, now)}", **times},
        width="content",
    )


def show_example(last: datetime) -> None:
    """Draw the last slot of the example cluster, which is its now."""
    text = f"example, {local(last):%a %H:%M}"
    title = "Generated groups; their present is the last slot."
    st.html(f'<span class="note" title="{title}">{text}</span>', width="content")


def is_overdue() -> None:
    """Mark the page's content as overdue, whatever its age: a refresh was asked for and failed."""
    st.html('<i class="overdue"></i>', width="content")
