"""The age of a reading from a cluster, counted in the browser. If the next refresh is overdue,
`page.css` greys the badges of this reading.
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
        Age in seconds at which a refresh is overdue. By default, no refresh is expected.
    shown_from : float
        The smallest age, in seconds, that is shown.
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
    """Draw the time of the example cluster's last slot. For the example cluster, this time counts
    as now.
    """
    text = f"example, {local(last):%a %H:%M}"
    title = "Generated groups. Their present is the last slot."
    st.html(f'<span class="note" title="{title}">{text}</span>', width="content")


def is_overdue() -> None:
    """Grey the page's content as overdue, whatever its age, because a requested refresh failed."""
    st.html('<i class="overdue"></i>', width="content")
