"""The answers of one assignor to all steps of a scenario, for a group or a Streams application.
Each step's answer is cached. After a new edit, only its step and later steps are computed.

Also the stored drafts of scenarios.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.assignors.compare.balance import lag_at
from evenkeel.assignors.compare.comparison import Comparison
from evenkeel.assignors.compare.moves import owner_pairs
from evenkeel.assignors.protocol import Assignor, serving
from evenkeel.dashboard.names import NEW, RESTARTED, STOPPED, worst_first
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL, look_up
from evenkeel.dashboard.shell.loading.plugins import known, plugin_settings
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.view import Change, OpenGroup, View
from evenkeel.data.configuration import configuration
from evenkeel.data.lake import import_folder
from evenkeel.data.own_process import LimitError
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.scenarios.leaders import client_of, led_by, with_settings
from evenkeel.data.scenarios.run.group_step import AskedOfGroup, StepAnswer, listed_answer
from evenkeel.data.scenarios.run.results import Onward
from evenkeel.data.scenarios.run.results import onward as carried_on
from evenkeel.data.scenarios.run.walk import Answer, WalkSubject
from evenkeel.data.scenarios.scenario.draft import MOST_BYTES, Draft
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import (
    OverBudgetError,
    SizeOfGroup,
    edit_count,
    require_steps,
    work_of,
)

NOTHING = ""


class Refusal(NamedTuple):
    """A refused edit: the edit names a missing thing, or exceeds the budget.

    `step`: number of the edit's step, counted from 1. `edit`: place of the edit in the step,
    counted from 0; None if the whole step is refused.
    """

    step: int
    edit: int | None
    text: str


class Walk(NamedTuple):
    """An assignor's answers: to the group as listed, and to each step. If an edit is refused, there
    are no answers from its step on.
    """

    answers: tuple[Any, ...]
    refused: Refusal | None = None


def digests(steps: Sequence[Step]) -> list[str]:
    """Return one digest for the group as listed and one for each step. The digest of a step depends
    on all edits up to this step, but not on the names of steps.

    Edits that are turned off count too: they shift later edits, and a new member's id depends on
    the place of its edit.
    """
    result = [NOTHING]
    for step in steps:
        edits = msgspec.json.encode([None if edit.off else edit for edit in step.edits])
        result.append(hashlib.blake2b(result[-1].encode() + edits, digest_size=16).hexdigest())
    return result


def asked_of(group: OpenGroup, name: str) -> Assignor:
    """Return the assignor that computes the group's answers on pages: a plug-in, or the class of
    the chosen client and Kafka release.
    """
    made = known(configuration().plugins)[name]
    client = client_of(begun(group).own.observed.leader, group.client)
    return with_settings(led_by(client, {name: made})[name], group.settings)


def onward(
    answers: Sequence[Answer],
    steps: Sequence[Step],
    keys: Sequence[tuple],
    subject_of: Callable[[], WalkSubject],
    is_wanted: Callable[[], bool] = lambda: True,
) -> Walk:
    """Compute the answers to `steps` that are not in `answers` yet. `keys`: the cache key of each
    step's answer. `is_wanted`: called before each step; if it returns False, stop.
    """
    result = list(answers)
    for number in range(len(result), len(steps) + 1):
        look_up()
        if not is_wanted():
            break
        try:
            result.append(
                ALL.get(
                    keys[number - 1], partial(_next, subject_of, result, steps[number - 1], number)
                )
            )
        except RefusedEditError as error:
            return Walk(tuple(result), refused_by(error))
    return Walk(tuple(result))


def _next(
    subject_of: Callable[[], WalkSubject], answers: Sequence[Answer], step: Step, number: int
) -> Answer:
    if answers[-1].error:
        return subject_of().failed(answers[-1].error)
    return subject_of().answer(
        next(each for each in map(state_after, reversed(answers)) if each is not None),
        step,
        number - 1,
    )


def state_after(answer: Answer) -> Any:
    """Return the group or application after the rebalances of an answer. Without rebalances, return
    the group or application as it was before.
    """
    return answer.rests or answer.start


def walked(
    group: OpenGroup, steps: Sequence[Step], name: str, is_wanted: Callable[[], bool] = lambda: True
) -> Walk:
    """Return an assignor's answers to all steps. The last answers are missing if `is_wanted`
    returns False before the end. The caller must check that the batch exists.

    A long computation runs in a separate process.
    """
    allowed, over = _allowed(group, steps)
    keys = [(walked, group, digest, name, plugin_settings()) for digest in digests(allowed)[1:]]
    result = [as_listed(group, name), *_kept(keys)]
    rest = allowed[len(result) - 1 :]
    if rest and name in ASSIGNORS and apart.is_heavy(_work(result[-1], rest), edit_count(rest)):
        return _walked_apart(group, result, rest, keys, name, over, is_wanted)
    walk = onward(result, allowed, keys, lambda: AskedOfGroup(asked_of(group, name)), is_wanted)
    return (
        walk if walk.refused or len(walk.answers) <= len(allowed) else walk._replace(refused=over)
    )


def alone(group: OpenGroup, steps: Sequence[Step], number: int, place: int, name: str) -> Walk:
    """Return the answers up to step `number`, counted from 1. In this step, only the edit at
    `place` is turned on.
    """
    edits = [
        msgspec.structs.replace(edit, off=at != place)
        for at, edit in enumerate(steps[number - 1].edits)
    ]
    return walked(group, [*steps[: number - 1], Step(edits=edits)], name)


def as_listed(group: OpenGroup, name: str) -> StepAnswer:
    """Return an answer for step 0, the group as listed. It has no figures if the owners are
    unknown.
    """
    return ALL.get((as_listed, group, name), lambda: listed_answer(begun(group).own.observed, name))


def _allowed(group: OpenGroup, steps: Sequence[Step]) -> tuple[Sequence[Step], Refusal | None]:
    """Return the steps that are within the budget, and the refusal of the first step beyond the
    budget, if any.
    """
    observed = begun(group).own.observed
    try:
        require_steps(
            configuration().budget,
            SizeOfGroup.of_observed(observed),
            steps,
            len(serving(observed.group_type, ASSIGNORS)),
        )
    except OverBudgetError as error:
        return steps[: error.step], Refusal(error.step + 1, error.edit, error.reason)
    return steps, None


def _kept(keys: Sequence[tuple]) -> list[StepAnswer]:
    result = []
    for key in keys:
        answer = ALL.find(key)
        if answer is None:
            break
        result.append(answer)
    return result


def _work(before: StepAnswer, steps: Sequence[Step]) -> int:
    """Return the work of computing the steps, in partitions. 0 if the assignor has failed before
    these steps.
    """
    start = before.group or before.start
    if start is None:
        return 0
    return work_of(SizeOfGroup.of_observed(start), steps)


def _walked_apart(
    group: OpenGroup,
    answers: Sequence[StepAnswer],
    steps: Sequence[Step],
    keys: Sequence[tuple],
    name: str,
    over: Refusal | None,
    is_wanted: Callable[[], bool],
) -> Walk:
    """Compute the remaining steps in a separate process. An assignor that exceeds the limits of
    memory or time has no answer, as after an exception.
    """
    start, first = answers[-1].group or answers[-1].start, len(answers) - 1
    try:
        done = apart.run(
            apart.limits(),
            carried_on,
            start,
            list(steps),
            first,
            name,
            group.settings,
            is_wanted=is_wanted,
        )
    except apart.NotWantedError:
        return Walk(tuple(answers))
    except LimitError as error:
        done = Onward(
            (StepAnswer(name, error=AssignorError(REQUEST_ERROR, str(error))),) * len(steps)
        )
    for key, answer in zip(keys[first:], done.answers, strict=False):
        ALL.put(key, answer)
    return Walk((*answers, *done.answers), refused_by(done.refused) if done.refused else over)


def refused_by(error: RefusedEditError) -> Refusal:
    """Return a Refusal for an error about a refused edit. `Refusal.step` is counted from 1."""
    return Refusal(error.at.step + 1, error.at.edit, error.reason)


def moves_of(
    group: OpenGroup,
    steps: Sequence[Step],
    number: int,
    answer: StepAnswer,
    names: Mapping[str, str],
) -> tuple[View, Change] | None:
    """Return the members at a step and the partitions that moved. Stopped members are last. None if
    the owners are unknown.

    `names`: the short name of each member id.
    """
    digest = f"{digests(steps[:number])[-1]} {answer.name}"
    return ALL.get(
        (moves_of, group, digest, plugin_settings()),
        lambda: _moves_of(group._replace(edited=digest), answer, names),
    )


def marked_names(answer: StepAnswer, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of a step's members, with a mark at each new, restarted or stopped
    member.
    """
    before, after, back = (
        set(answer.start.snapshot.member_id if answer.start else ()),
        set(answer.rebalances[-1].group.snapshot.member_id),
        dict(answer.renamed).values(),
    )
    members = answer.change[0].snapshot.member_id

    def mark(member: str) -> str:
        if member in back:
            return RESTARTED
        if member not in after:
            return STOPPED
        return "" if member in before else NEW

    return tuple(f"{names.get(member, member)} {mark(member)}".rstrip() for member in members)


def _moves_of(
    opened: OpenGroup, answer: StepAnswer, names: Mapping[str, str]
) -> tuple[View, Change] | None:
    wide, owned = answer.change
    if owned is None or answer.moves is None:
        return None
    last, labels, moves = answer.rebalances[-1], marked_names(answer, names), answer.moves
    lag, pairs = last.lag, owner_pairs(wide.snapshot, owned, last.assignment)
    order = worst_first(moves.retained.lag + moves.revoked.lag, labels)
    view = View(wide, Comparison(wide.snapshot, lag, ()), labels, order, opened=opened)
    return view, Change(moves, pairs, lag_at(wide.snapshot, lag, pairs.topic, pairs.partition))


def saved_draft(draft: Draft, text: str) -> str | None:
    """Store a draft as text, unless it is stored already. Return the id of the stored draft. None
    if the draft is too large.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    if len(msgspec.json.encode(draft)) > MOST_BYTES:
        return None
    return ALL.get(
        (saved_draft, text), lambda: import_folder.save_draft(configuration().lake, text)
    )


def draft_text(draft_id: str) -> str:
    """Return the text of a stored draft.

    Raises
    ------
    SnapshotError
        If the draft is missing or deleted.
    """
    return import_folder.read_draft(configuration().lake, draft_id)
