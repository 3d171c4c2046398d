"""The answer to a request of `evenkeel best`: the best assignment, its bounds and its certificate.

answer(line)                            the answer to a request in JSON
written(found_for(request, observed))   the answer to a request about the group `observed`
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.best.answer import Beside, Best, counterpart
from evenkeel.assignors.best.certificate import made
from evenkeel.assignors.best.frontier import Point, frontier
from evenkeel.assignors.best.request import Infeasible, Rates, Request, RequestError
from evenkeel.assignors.best.right_size import RightSize, right_size
from evenkeel.assignors.best.search import best
from evenkeel.assignors.best.steps import SearchStep
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import SHARE, serving
from evenkeel.assignors.trace import Trace, recording
from evenkeel.data.best.answer_json import (
    ByName,
    beside_json,
    by_topic,
    number,
    point_json,
    size_json,
)
from evenkeel.data.best.request import (
    AskedOfGroup,
    PlanRequest,
    decode_request,
    exact_within,
    request_of,
    whole_numbers,
)
from evenkeel.data.best.unread import Unread
from evenkeel.data.best.words import why
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import decode
from evenkeel.data.scenarios.leaders import client_of, led_by, tp_of
from evenkeel.data.scenarios.size import require_group
from evenkeel.data.text.names import short_labels

_SERVED_SECONDS = 30.0
"""Longest search for a request over HTTP."""

_MANY = 200_000
"""Above this number of partitions the search does not start from assignors' answers: some assignors
take minutes.
"""


class Failure(msgspec.Struct):
    """Why there is no answer. `type`: `Infeasible` or `RequestError`.

    `line`: for `--jsonl`, the line number of the request, from 1; else null.
    """

    type: str
    message: str
    line: int | None = None


class Answer(msgspec.Struct, kw_only=True):
    """The answer to one request. If `error` is set, maps are empty and numbers are null.

    The JSON has no `beside` and no `why` if they have no value, and no `unread_lag` and no
    `unassigned_lag` if their value is 0. `unread_lag`: lag of partitions that nobody reads now.
    `unassigned_lag`: lag of partitions without an owner in the best assignment.
    """

    assignment: ByName = {}
    value: int | float | None = None
    never: bool | None = None
    bound: int | float | None = None
    proved: bool | None = None
    gap: float | None = None
    moves: int | None = None
    moves_bound: int | None = None
    unknown: int | None = None
    unassigned: dict[str, list[int]] = {}
    assumed: list[str] = []
    stopped: str | None = None
    current_value: int | float | None = None
    frontier: list[dict[str, Any]] | None = None
    right_size: dict[str, Any] | None = None
    unread_lag: int | msgspec.UnsetType = msgspec.UNSET
    unassigned_lag: int | msgspec.UnsetType = msgspec.UNSET
    beside: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    why: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    certificate: dict[str, Any] | None = None
    error: Failure | None = None


class Why(NamedTuple):
    """Why the search gives `partition` to its owner. `sentences`: one for each search step."""

    partition: str
    sentences: tuple[str, ...]


class SearchResult(msgspec.Struct):
    """The result of a search: the group and its best assignment.

    `starts`: assignments with which the search began, by name of the assignor. `points`: the best
    value for each number of moves, if requested. `size`: the best value for each number of members,
    if requested. `beside`: if requested, the best assignment for lag and the best assignment for
    rates; None if one assignment is best for both.
    """

    observed: ObservedGroup
    best: Best
    starts: Mapping[str, Assignment]
    points: tuple[Point, ...] | None = None
    knee: int | None = None
    size: RightSize | None = None
    within: Fraction | None = None
    beside: Beside | None = None
    why: Why | None = None


def answer(line: bytes, budget: Budget = COMMAND_LINE) -> Answer:
    """Answer one request, a line of `evenkeel best --jsonl`. Never raises."""
    try:
        request = decode_request(line)
        return written(found_for(request, _allowed(request, budget)))
    except Exception as error:
        return Answer(error=failure(error))


def answered_text(text: bytes, budget: Budget) -> bytes:
    """Return the answer to one request as JSON. If no assignment keeps the limits, the answer
    contains the error.

    Raises
    ------
    SnapshotError
        If the request is refused.
    """
    request = decode_request(text)
    request.time_limit_s = min(request.time_limit_s or _SERVED_SECONDS, _SERVED_SECONDS)
    try:
        reply = written(found_for(request, _allowed(request, budget)))
    except Infeasible as error:
        reply = Answer(error=failure(error))
    except RequestError as error:
        raise SnapshotError(str(error)) from None
    return msgspec.json.encode(reply)


def require_allowed_request(text: bytes, budget: Budget) -> None:
    """Raise SnapshotError if the text is not a request or the group is larger than `budget`."""
    require_group(budget, decode(decode_request(text).group), "group")


def _allowed(request: AskedOfGroup, budget: Budget) -> ObservedGroup:
    document = decode(request.group)
    require_group(budget, document, "group")
    return observed_from_document(document)


def failure(error: Exception) -> Failure:
    """Return an error as part of an answer."""
    if isinstance(error, Infeasible):
        return Failure("Infeasible", str(error))
    if isinstance(error, SnapshotError | ValueError):
        return Failure("RequestError", str(error))
        # A fault of Evenkeel must not prevent the answers to later lines.
    return Failure(
        "RequestError", f"evenkeel failed on this request, {type(error).__name__}: {error}"
    )


def found_for(
    question: PlanRequest,
    observed: ObservedGroup,
    rates: Rates | None = None,
) -> SearchResult:
    """Search the best assignment for a request. `rates`: used if the request contains no rates.

    Raises
    ------
    SnapshotError, RequestError
        If the request does not fit the group.
    Infeasible
        If no assignment keeps the limits.
    """
    if observed.group_type == SHARE:
        raise RequestError(
            "group: found a share group, expected another type: members of a share group read every"
            " partition together"
        )
    group, request = observed.snapshot, request_of(question, observed.snapshot, rates)
    named, began = assignors_answers(observed), time.monotonic()
    starts = list(named.values())
    search = SearchResult(observed, best(group, request, starts), named)
    if question.beside and (other := counterpart(request, request.rates)):
        search.beside = _beside(search.best, other, starts, time.monotonic() - began)
    if question.frontier:
        points = (
            None if question.frontier is True else whole_numbers("frontier", question.frontier, 0)
        )
        whole = search.best if request.moves is None else None
        curve = frontier(group, request, points, starts, whole=whole)
        search.points, search.knee = curve.points, curve.knee
    if question.right_size or question.within is not None:
        members = (
            whole_numbers("right_size", question.right_size, 1)
            if isinstance(question.right_size, list)
            else None
        )
        search.within = exact_within(question.within)
        search.size = right_size(group, request, members, search.within)
    return search


def _beside(
    mine: Best,
    other: Request,
    starts: Sequence[Assignment],
    spent: float,
) -> Beside | None:
    """Search a second assignment, for the objective in `other`. `mine`: the first assignment.

    `spent`: seconds of the first search. None if no time remains, if the search fails, or if one of
    the two assignments is best under both objectives.
    """
    left = None if other.time_limit_s is None else other.time_limit_s - spent
    if left is not None and left <= 0:
        return None
    try:
        both = Beside(mine, best(mine.problem.group, replace(other, time_limit_s=left), starts))
    except ValueError:
        return None
    return both if both.disagree else None


def found_or_refused(request: PlanRequest, observed: ObservedGroup) -> SearchResult:
    """Search the best assignment for a request. SnapshotError if the request does not fit the group
    or no assignment keeps the limits.
    """
    try:
        return found_for(request, observed)
    except ValueError as error:
        raise SnapshotError(str(error)) from None


def why_best(
    observed: ObservedGroup,
    answered: Best,
    starts: Mapping[str, Assignment],
    topic: str,
    partition: int,
) -> Why:
    """Return why the best assignment gives a partition to its owner.

    The search runs a second time and records its decisions.

    Raises
    ------
    SnapshotError
        If the group has no such partition, or if the second search has another result. A search
        that was ended early may have another result.
    """
    tp, problem, name = (
        tp_of(observed, topic, partition),
        answered.problem,
        partition_name(topic, partition),
    )
    if tp not in problem.tp:
        return Why(name, (f"No member may own {name}.",))
    was_ended = answered.stopped in ("time", "stop")
    request = problem.request if was_ended else replace(problem.request, time_limit_s=None)
    trace = Trace((tp,))
    with recording(trace):
        again = best(problem.group, request, list(starts.values()))
    if was_ended and not np.array_equal(again.owner, answered.owner):
        ending = (
            "the search was ended early, and a second run had another result; allow more time with"
            " `evenkeel best --time-limit`"
        )
        raise SnapshotError(f"why {name}: {ending}")
    return Why(
        name,
        why(
            again,
            [step for step in trace.steps_of(tp) if isinstance(step, SearchStep)],
            short_labels(problem.group.member_id, observed.client_id),
            list(starts),
        ),
    )


def assignors_answers(observed: ObservedGroup) -> dict[str, Assignment]:
    """Return the assignment of each Kafka assignor that can serve the group, by name.

    Each assignment is computed as in the client library of the group's leader. The search starts
    from these assignments, so its result is never worse. Empty for more than 200,000 partitions.
    """
    group = observed.snapshot
    if group.tp_count > _MANY:
        return {}
    led = led_by(client_of(observed.leader))
    assignments = {}
    for name in serving(observed.group_type, ASSIGNORS):
        try:
            assigned = led[name]().assign(group).handed_out()
        except AssignorError:
            continue
        if not assigned.extra.size:
            assignments[name] = assigned
    return assignments


def written(answer: SearchResult) -> Answer:
    """Return the result as the answer of `--json`."""
    best, observed = answer.best, answer.observed
    rates = best.problem.request.rates
    unread = Unread.of(observed.current, best)
    return Answer(
        assignment=assignment_by_name(observed, best.assignment),
        value=number(best.value),
        never=best.never,
        bound=number(best.bound),
        proved=best.is_proved,
        gap=best.gap,
        moves=best.moves,
        moves_bound=best.moves_bound,
        unknown=best.unknown,
        unassigned=by_topic(observed.snapshot, unread.unassigned),
        unread_lag=unread.lag or msgspec.UNSET,
        unassigned_lag=unread.unassigned_lag or msgspec.UNSET,
        assumed=[f"rates.capacity[{name}]" for name in rates.assumed]
        if rates and best.problem.objective != "lag"
        else [],
        stopped=best.stopped,
        current_value=None if best.current_value is None else number(best.current_value),
        frontier=None
        if answer.points is None
        else [point_json(observed, point) for point in answer.points],
        right_size=None if answer.size is None else size_json(answer.size),
        beside=msgspec.UNSET if answer.beside is None else beside_json(answer.beside),
        why=msgspec.UNSET if answer.why is None else answer.why.sentences,
        certificate=made(best),
    )
