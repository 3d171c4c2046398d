"""One assignor's way through a scenario. One more edit computes one step: those before it are kept."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from dashboard.loading.cache.cache import ALL
from dashboard.loading.plugins import plugin_settings
from dashboard.loading.scenarios.asked_assignor import asked_of
from dashboard.loading.scenarios.digests import digests
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.scenarios.edits.edit import RefusedEditError
from data.scenarios.run.result import remembering
from data.scenarios.run.step import StepAnswer, listed_answer, step_answer
from data.scenarios.scenario.scenario import Step


class Refused(NamedTuple):
    """An edit that names what is not there: `step` counts from 1, `edit` from 0."""

    step: int
    edit: int
    text: str


class Walk(NamedTuple):
    """Answers to the group as listed and to each step, up to the one that is refused."""

    answers: tuple[StepAnswer, ...]
    refused: Refused | None = None


def walked(group: Opened, steps: Sequence[Step], name: str, is_wanted: Callable[[], bool] = lambda: True) -> Walk:
    """Return an assignor's way, cut off where it is no longer wanted. The page has looked whether the batch is still there."""
    found, keys = [as_listed(group, name)], digests(steps)
    for number in range(1, len(steps) + 1):
        if not is_wanted():
            break
        key = (walked, group, keys[number], name, plugin_settings())
        try:
            found.append(ALL.get(key, partial(_answer, group, found[-1], steps[number - 1], number, name)))
        except RefusedEditError as error:
            return Walk(tuple(found), Refused(error.at.step + 1, error.at.edit, error.reason))
    return Walk(tuple(found))


def as_listed(group: Opened, name: str) -> StepAnswer:
    """Return the group as listed in place of an answer; without owners it has no figures."""
    return ALL.get((as_listed, group, name), lambda: listed_answer(begun(group).own.observed, name))


def _answer(group: Opened, before: StepAnswer, step: Step, number: int, name: str) -> StepAnswer:
    if before.error:
        return StepAnswer(name, error=before.error)
    start = before.group or before.start
    assignor = asked_of(group, name)
    return step_answer(start, step, number - 1, remembering(assignor, start))
