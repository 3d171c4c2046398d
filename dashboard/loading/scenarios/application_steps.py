"""Steps of edits of an application: each assignor starts where its own step before ended."""

from collections.abc import Sequence

import msgspec

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.scenarios.applications import application, shown
from evenkeel.dashboard.loading.scenarios.walks import digests, onward, state_after
from evenkeel.dashboard.view import ApplicationView, Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.edits.edit import EditPlace, RefusedEditError
from evenkeel.data.scenarios.run.application_step import AskedOfApplication, TaskStep, joined
from evenkeel.data.scenarios.run.results import asked_task_assignors
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfApplication, require_steps

Steps = Sequence[Step]


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


def state_before(opened: Opened, steps: Steps, number: int, name: str) -> ApplicationState:
    """Return the application as it rests when a step starts, counted from 1; raises as `view_of`."""
    before = steps[: number - 1]
    _require_allowed(opened, before)
    keys = [(state_before, opened, digest, name) for digest in digests(before)[1:]]
    listed = TaskStep(name, rests=ApplicationState(application(opened).document))
    walk = onward([listed], before, keys, lambda: AskedOfApplication(name))
    if walk.refused:
        raise RefusedEditError(EditPlace(walk.refused.step - 1, walk.refused.edit or 0), walk.refused.text)
    return next(each for each in map(state_after, reversed(walk.answers)) if each is not None)


def _view_of(opened: Opened, steps: Steps, number: int, name: str, digest: str) -> ApplicationView:
    before = state_before(opened, steps, number, name)
    joins = joined(before, steps[number - 1], number - 1)
    # The time of the listing is none of a step's.
    return shown(opened, msgspec.structs.replace(joins.document, taken_at=None), before.document, digest)


def _require_allowed(opened: Opened, steps: Steps) -> None:
    document = application(opened).document
    try:
        require_steps(configuration().budget, SizeOfApplication(document), steps, len(asked_task_assignors(document, None)))
    except OverBudgetError as error:
        raise RefusedEditError(EditPlace(error.step, error.edit or 0), error.reason) from None
