"""Marks on pages: people's marks, and restarts of whole groups."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.times import clock
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.marks.answer import marks_of
from evenkeel.data.marks.restarts import NEAR, Restart

SECONDS = 15
"""A list that is younger than this is not read again."""


class MarkLine(NamedTuple):
    """A mark as a line in a chart: its time in seconds since 1970, and its text. `is_set`: a person
    set the mark; False for a detected restart.
    """

    time: float
    text: str
    is_set: bool = True


def mark_lines(
    group: OpenGroup, restarts: Sequence[Restart], since: float, until: float
) -> list[MarkLine]:
    """Return a group's marks between two times (seconds since 1970), sorted by time. A restart of
    all members is added if no person's mark is near the restart.
    """
    lines = _set(group, since, until)
    lines += [
        MarkLine(each.time, f"all {each.members} members restarted at {clock(each.time)}", False)
        for each in restarts
        if not any(abs(line.time - each.time) <= NEAR for line in lines)
    ]
    return sorted(lines)


def _set(group: OpenGroup, since: float, until: float) -> list[MarkLine]:
    cluster = cluster_of(group) if group.batch else None
    if cluster is None:
        return []
    lake = lake_of(cluster)
    key = (mark_lines, lake, cluster, group, since, until)
    marks = ALL.get(key, partial(marks_of, lake, cluster, group.group_id, since, until), SECONDS)
    return [MarkLine(each.at.timestamp(), each.text) for each in marks]
