"""The walk through the groups that need attention, one group after the other. Home stores the list
of these groups, and the tabs of a group link to the next group.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.view import OpenGroup

_KEY = "walk"


class Stop(NamedTuple):
    """A group in the walk, and its address."""

    name: str | None
    link: dict[str, str]


class Step(NamedTuple):
    """A group's place in the walk, counted from 1. `total`: number of groups. `before`, `after`:
    addresses of the previous and the next group.
    """

    place: int
    total: int
    before: dict[str, str] | None
    after: dict[str, str] | None


def remember(source: str, stops: Sequence[Stop]) -> None:
    """Store the groups that home lists. `source`: the cluster or the upload that contains the
    groups.
    """
    st.session_state[_KEY] = source, tuple(stops)


def step(group: OpenGroup) -> Step | None:
    """Return the open group's place in the walk. None if the stored list does not contain the
    group.
    """
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
