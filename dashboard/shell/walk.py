"""The walk through the groups that need the reader: home remembers them, the tabs of one lead to
the next.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.view import Opened

_KEY = "walk"


class Stop(NamedTuple):
    """A group of the walk, and its address."""

    name: str | None
    link: dict[str, str]


class Step(NamedTuple):
    """The place of a group among `total`, from 1 on, and the addresses of its neighbours."""

    place: int
    total: int
    before: dict[str, str] | None
    after: dict[str, str] | None


def remember(source: str, stops: Sequence[Stop]) -> None:
    """Remember the groups of home; `source`: their cluster, or their upload."""
    st.session_state[_KEY] = source, tuple(stops)


def step(group: Opened) -> Step | None:
    """Return where the open group is in the walk, None if home has not listed it."""
    source, stops = st.session_state.get(_KEY, ("", ()))
    names = [each.name for each in stops]
    if source not in (group.batch, cluster_of(group)) or group.group_id not in names:
        return None
    row = names.index(group.group_id)
    before, after = stops[:row], stops[row + 1 :]
    return Step(
        row + 1,
        len(stops),
        before[-1].link if before else None,
        after[0].link if after else None,
    )
