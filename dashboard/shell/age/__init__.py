"""The age of a reading, counted in the browser. If a refresh is overdue, `page.css` greys the
badges from this reading.
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
    """Draw a reading's time and age. If a page shows several readings, each needs a different
    `word`.

    Parameters
    ----------
    due_seconds : float, optional
        Age at which a refresh is overdue. By default, no refresh is expected.
    shown_from : float
        Ages below this age are not shown.
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
    """Draw the time of the example cluster's last slot, which counts as its present."""
    text = f"example, {local(last):%a %H:%M}"
    title = "Generated groups. Their present is the last slot."
    st.html(f'<span class="note" title="{title}">{text}</span>', width="content")


def is_overdue() -> None:
    """Draw the page's content as overdue at any age, because a requested refresh failed."""
    st.html('<i class="overdue"></i>', width="content")
