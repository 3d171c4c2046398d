"""One assignor's way through a scenario. One more edit computes one step: those before it are kept."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.assignors.protocol import serving
from evenkeel.dashboard.loading import apart
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.scenarios.asked_assignor import asked_of
from evenkeel.dashboard.loading.scenarios.digests import digests
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.scenarios.own_process import LimitError
from evenkeel.data.scenarios.run.result import Onward, onward, remembering
from evenkeel.data.scenarios.run.step import StepAnswer, listed_answer, step_answer
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfGroup, require_steps, work_of


class Refused(NamedTuple):
    """An edit that names what is not there, or asks for too much: `step` counts from 1, `edit` from 0, None for the whole step."""

    step: int
    edit: int | None
    text: str


class Walk(NamedTuple):
    """Answers to the group as listed and to each step, up to the one that is refused."""

    answers: tuple[StepAnswer, ...]
    refused: Refused | None = None


def walked(group: Opened, steps: Sequence[Step], name: str, is_wanted: Callable[[], bool] = lambda: True) -> Walk:
    """Return an assignor's way, cut off where it is no longer wanted. The page has looked whether the batch is still there.

    Steps that take long are carried out in a process of their own.
    """
    allowed, over = _allowed(group, steps)
    keys = [(walked, group, digest, name, plugin_settings()) for digest in digests(allowed)[1:]]
    found = [as_listed(group, name), *_kept(keys)]
    rest = allowed[len(found) - 1 :]
    if rest and name in ASSIGNORS and apart.is_heavy(_work(found[-1], rest)):
        return _walked_apart(group, found, rest, keys, name, over, is_wanted)
    for number, step in enumerate(rest, len(found)):
        if not is_wanted():
            return Walk(tuple(found))
        try:
            found.append(ALL.get(keys[number - 1], partial(_answer, group, found[-1], step, number, name)))
        except RefusedEditError as error:
            return Walk(tuple(found), _refused(error))
    return Walk(tuple(found), over)


def as_listed(group: Opened, name: str) -> StepAnswer:
    """Return the group as listed in place of an answer; without owners it has no figures."""
    return ALL.get((as_listed, group, name), lambda: listed_answer(begun(group).own.observed, name))


def _allowed(group: Opened, steps: Sequence[Step]) -> tuple[Sequence[Step], Refused | None]:
    """Return the steps that the budget allows, and why the next one is refused."""
    observed = begun(group).own.observed
    try:
        require_steps(configuration().budget, SizeOfGroup.of_observed(observed), steps, len(serving(observed.group_type, ASSIGNORS)))
    except OverBudgetError as error:
        return steps[: error.step], Refused(error.step + 1, error.edit, error.reason)
    return steps, None


def _kept(keys: Sequence[tuple]) -> list[StepAnswer]:
    found = []
    for key in keys:
        answer = ALL.find(key)
        if answer is None:
            break
        found.append(answer)
    return found


def _work(before: StepAnswer, steps: Sequence[Step]) -> int:
    """Return the work of steps, in partitions; none where Kafka's class throws before them."""
    start = before.group or before.start
    if start is None:
        return 0
    return work_of(SizeOfGroup.of_observed(start), steps)


def _walked_apart(
    group: Opened,
    found: Sequence[StepAnswer],
    steps: Sequence[Step],
    keys: Sequence[tuple],
    name: str,
    over: Refused | None,
    is_wanted: Callable[[], bool],
) -> Walk:
    """Carry out the steps that are left. An assignor that needs more than the limits has no answer to them, as one that throws."""
    start, first = found[-1].group or found[-1].start, len(found) - 1
    try:
        done = apart.run(apart.limits(), onward, start, list(steps), first, name, group.settings, is_wanted=is_wanted)
    except apart.NotWantedError:
        return Walk(tuple(found))
    except LimitError as error:
        done = Onward((StepAnswer(name, error=AssignorError(REQUEST_ERROR, str(error))),) * len(steps))
    for key, answer in zip(keys[first:], done.answers, strict=False):
        ALL.put(key, answer)
    return Walk((*found, *done.answers), _refused(done.refused) if done.refused else over)


def _refused(error: RefusedEditError) -> Refused:
    return Refused(error.at.step + 1, error.at.edit, error.reason)


def _answer(group: Opened, before: StepAnswer, step: Step, number: int, name: str) -> StepAnswer:
    if before.error:
        return StepAnswer(name, error=before.error)
    start = before.group or before.start
    assignor = asked_of(group, name)
    return step_answer(start, step, number - 1, remembering(assignor, start))
