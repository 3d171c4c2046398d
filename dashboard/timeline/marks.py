"""Marks on the Timeline: people's marks on the group and its cluster, and restarts of all
members.
"""

from evenkeel.dashboard.shell.loading.marks import MarkLine, mark_lines
from evenkeel.dashboard.timeline.loading.timelines import Timeline
from evenkeel.dashboard.timeline.words import MARK, RESTART, TimelineEvent
from evenkeel.dashboard.view import OpenGroup


def lines(group: OpenGroup, shown: Timeline) -> list[MarkLine]:
    """Return the marks as lines of the figure, ordered by time."""
    return mark_lines(group, shown.restarts, shown.since, shown.until)


def with_marks(group: OpenGroup, shown: Timeline) -> tuple[TimelineEvent, ...]:
    """Return the range's events and marks in one list, latest first."""
    marks = [
        TimelineEvent(line.time, MARK if line.is_set else RESTART, line.text, "", line.time - 1.0)
        for line in lines(group, shown)
    ]
    return tuple(sorted((*shown.events, *marks), key=lambda event: -event.time))
