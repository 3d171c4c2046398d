"""Short names of all members that a scenario ever has."""

from dashboard.widgets.edits.runs import Run
from dashboard.words.names import member_labels
from data.columns.observed import ObservedGroup


def of(run: Run) -> dict[str, str]:
    """Return the names by member id; the first step that has a member names it."""
    groups = [answer.group or answer.start for answer in run.walk.answers]
    found: dict[str, str] = {}
    for group in filter(None, groups):
        found = dict(zip(group.snapshot.member_id, labels(group), strict=True)) | found
    return found


def labels(group: ObservedGroup) -> tuple[str, ...]:
    """Return the short names of a group's members, in its rows."""
    return member_labels(group.snapshot.member_id, group.client_id)
