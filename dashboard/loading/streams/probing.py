"""The probing rebalances of an application under each task assignor."""

from functools import partial
from typing import Any, NamedTuple

from assignors import TASK_ASSIGNORS
from assignors.errors import AssignorError
from assignors.protocol import TaskAssignor
from assignors.rounds.streams import StreamsRounds, probing_rebalances
from dashboard.loading.cache.cache import ALL
from dashboard.view import ApplicationView
from data.columns import task_settings
from data.errors import SnapshotError

Settings = tuple[tuple[str, Any], ...]
"""Kafka's dotted names and values that differ from the document's."""


class Answered(NamedTuple):
    """One assignor's rounds, or why it has none."""

    assignor: TaskAssignor
    found: StreamsRounds | None
    error: AssignorError | None = None


def assignor_of(view: ApplicationView, name: str, settings: Settings = ()) -> TaskAssignor:
    """Return an assignor with the document's settings.

    Raises
    ------
    SnapshotError
        Where a setting is unknown or out of range.
    """
    made, given = TASK_ASSIGNORS[name], (view.document.settings or {}) | dict(settings)
    try:
        return made(**task_settings(made, given, "settings"))
    except ValueError as error:
        raise SnapshotError(str(error)) from None


def answered(view: ApplicationView, name: str, settings: Settings = ()) -> Answered:
    """Return the rounds of an assignor until it is balanced."""
    key = (answered, view.opened, view.digest, name, settings)
    return ALL.get(key, partial(_answered, view, assignor_of(view, name, settings)))


def _answered(view: ApplicationView, assignor: TaskAssignor) -> Answered:
    try:
        return Answered(assignor, probing_rebalances(view.snapshot, assignor, view.restoring))
    except AssignorError as error:
        return Answered(assignor, None, error)
