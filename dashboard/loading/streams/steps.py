"""Steps of edits of an application: each assignor starts where its own step before ended."""

from collections.abc import Sequence

import msgspec

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.scenarios.digests import digests
from evenkeel.dashboard.loading.streams.applications import application, shown
from evenkeel.dashboard.loading.streams.probing import made_of
from evenkeel.dashboard.view import ApplicationView, Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.document.application import Application
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.applications.application_result import asked_task_assignors
from evenkeel.data.scenarios.applications.application_scenario import ApplicationStep
from evenkeel.data.scenarios.applications.task_step import task_step
from evenkeel.data.scenarios.edits.edit import EditPlace, RefusedEditError
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfApplication, require_steps

Steps = Sequence[ApplicationStep]


def view_of(opened: Opened, steps: Steps, number: int, name: str) -> ApplicationView:
    """Return the application as it joins the rebalance of a step, 0 as listed, under an assignor.

    Raises
    ------
    RefusedEditError
        When an edit up to there names what is not there, or asks for more than the budget allows, with its place.
    """
    if not number:
        return application(opened)
    _require_allowed(opened, steps[:number])
    digest = f"{digests(steps[:number])[-1]} {name}"
    return ALL.get((view_of, opened, digest), lambda: _view_of(opened, steps, number, name, digest))


def gone(opened: Opened, steps: Steps, number: int, name: str) -> dict[str, str]:
    """Return the instances that have left when a step starts: client ids by process id."""
    return {each: process.client_id or each for each, process in _rests(opened, steps, number, name).gone.items()}


def document_before(opened: Opened, steps: Steps, number: int, name: str) -> Application:
    """Return the application as it rests when a step starts, counted from 1."""
    return _rests(opened, steps, number - 1, name).document


def _view_of(opened: Opened, steps: Steps, number: int, name: str, digest: str) -> ApplicationView:
    before = joins = _rests(opened, steps, number - 1, name)
    for place, edit in steps[number - 1].edits_on:
        joins = edit.apply(joins, EditPlace(number - 1, place))
    # The time of the listing is none of a step's.
    return shown(opened, msgspec.structs.replace(joins.document, taken_at=None), before.document, digest)


def _rests(opened: Opened, steps: Steps, number: int, name: str) -> ApplicationState:
    if not number:
        return ApplicationState(application(opened).document)
    _require_allowed(opened, steps[:number])
    key = (_rests, opened, digests(steps[:number])[-1], name)
    return ALL.get(key, lambda: _after(opened, steps, number, name))


def _require_allowed(opened: Opened, steps: Steps) -> None:
    document = application(opened).document
    try:
        require_steps(configuration().budget, SizeOfApplication(document), steps, len(asked_task_assignors(document, None)))
    except OverBudgetError as error:
        raise RefusedEditError(EditPlace(error.step, error.edit or 0), error.reason) from None


def _after(opened: Opened, steps: Steps, number: int, name: str) -> ApplicationState:
    before = _rests(opened, steps, number - 1, name)
    return task_step(before, steps[number - 1], number - 1, lambda document: made_of(document, name)).rests or before
