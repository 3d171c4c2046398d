"""The open group of this session. `by_link` opens the group that an address names, and writes the
open group to the address.
"""

from collections.abc import Callable
from datetime import datetime

import streamlit as st

from evenkeel.dashboard.shell import address, watch
from evenkeel.dashboard.view import OpenGroup

KEY = "opened"


def current() -> OpenGroup | None:
    """Return the open group."""
    return st.session_state.get(KEY)


def close() -> None:
    """Close the open group."""
    st.session_state.pop(KEY, None)


def open_example(slug: str) -> None:
    """Open a worked example."""
    open_group(OpenGroup(slug=slug))


def open_group(group: OpenGroup) -> None:
    """Open one group of an upload."""
    st.session_state[KEY] = group
    address.chosen(KEY)


def reads_again(
    cluster: str,
    group: OpenGroup,
    taken_at: datetime | None,
    every: float | None,
    follow: Callable[[OpenGroup, str], None],
) -> bool:
    """Draw the button Read again. Read a live group again after a click, or if its reading is older
    than `every` seconds.

    Return True if a newer reading is open or the cluster did not answer. `follow(former, batch)` is
    called after each new reading, with the group as opened before and the new batch.
    """
    pressed = st.button("Read again", icon=":material/refresh:", key="read-again")
    if (current() or group).batch != group.batch:
        # The group is already read, and the page waits to be drawn.
        address.draw_again()
        return True
    if not (pressed or watch.is_due(taken_at, every)):
        return False
    if read_next(cluster, group, follow):
        address.draw_again(pressed)
    return True


def read_next(cluster: str, group: OpenGroup, follow: Callable[[OpenGroup, str], None]) -> bool:
    """Read a live group again and open the new reading. Return False if the cluster does not
    answer. `follow`: as in `reads_again`.
    """
    batch = watch.next_reading(cluster, group.group_id)
    if batch is None:
        return False
    follow(group, batch)
    open_group((current() or group)._replace(batch=batch))
    return True
