"""Which group is open: a worked example or one group of an upload, as the session has it; `by_link` finds it in the address and writes it there."""

from typing import NamedTuple

import streamlit as st

from assignors.kafka.release import NEWEST
from dashboard.widgets import address

KEY = "opened"


class Opened(NamedTuple):
    """A worked example by its slug, or one group of an upload; a listing that names no group is known by its file. `kafka`: the release that answers.
    `earlier`: the batch of a snapshot of the same group before this one, whose owners are one more row. `reset`: the `auto.offset.reset` that is assumed."""

    slug: str | None = None
    batch: str | None = None
    group_id: str | None = None
    source_file: str | None = None
    kafka: str = NEWEST
    earlier: str | None = None
    reset: str | None = None

    @property
    def lasting(self) -> tuple[str | None, ...]:
        """What stays when the group is read again."""
        return self.slug, self.group_id, self.source_file


def current() -> Opened | None:
    """Return what is open."""
    return st.session_state.get(KEY)


def close() -> None:
    """Open nothing."""
    st.session_state.pop(KEY, None)


def open_example(slug: str) -> None:
    """Open a worked example."""
    open_group(Opened(slug=slug))


def open_group(group: Opened) -> None:
    """Open one group of an upload."""
    st.session_state[KEY] = group
    address.chosen(KEY)
