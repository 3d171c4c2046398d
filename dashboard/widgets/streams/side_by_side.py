"""What each task assignor would do with the application now."""

from assignors import TASK_ASSIGNORS
from dashboard.loading.streams.probing import answered
from dashboard.tables.streams.downtimes import Downtime, downtime
from dashboard.view import ApplicationView

_PATIENCE = 0.2
"""The first rebalance, which the table is about, is there at once."""


def rows(view: ApplicationView) -> list[Downtime]:
    """Return a row for each assignor that has an answer."""
    found = ((name, answered(view, name, _PATIENCE)) for name in TASK_ASSIGNORS)
    return [downtime(view, name, each.found) for name, each in found if each.found]
