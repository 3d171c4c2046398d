"""The age of a reading, counted in the browser; once a refresh is overdue, `page.css` greys badges
that came from the reading.
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
    """Draw a reading's time and age; each reading of a page has its own word.

    Parameters
    ----------
    due_seconds : float, optional
        Age at which a refresh is overdue; without it, no refresh is expected.
    shown_from : float
        Lower ages are not shown.
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
    """Draw the last slot of the example cluster: its present."""
    text = f"example, {local(last):%a %H:%M}"
    title = "Generated groups; their present is the last slot."
    st.html(f'<span class="note" title="{title}">{text}</span>', width="content")


def is_overdue() -> None:
    """Mark the page's content as overdue at any age: a requested refresh failed."""
    st.html('<i class="overdue"></i>', width="content")
