"""What each task assignor would do with the application now."""

from collections.abc import Mapping

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.dashboard.loading.applications import answered
from evenkeel.dashboard.tables.task_assignors import Downtime, downtime
from evenkeel.dashboard.view import ApplicationView, Opened
from evenkeel.dashboard.widgets.streams.what_if import view_at

_PATIENCE = 0.2
"""The first rebalance, which the table is about, is there at once."""


def views(opened: Opened) -> dict[str, ApplicationView]:
    """Return the application in the step that is shown, by assignor: each one has come its own way."""
    return {name: view_at(opened, name) for name in TASK_ASSIGNORS}


def rows(shown: Mapping[str, ApplicationView]) -> list[Downtime]:
    """Return a row for each assignor that has an answer."""
    found = ((name, answered(view, name, _PATIENCE)) for name, view in shown.items())
    return [downtime(shown[name], name, each.found) for name, each in found if each.found]
