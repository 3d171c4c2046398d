"""Answer requests in JSON Lines: one request a line on standard input, one answer a line on
standard output, in order.

A request is {"assignor": NAME, "group": {group document or streams document}, "settings": {...}}.
A request that cannot be answered gets an answer with an error; the next line is still answered.
"""

import argparse
import dataclasses
import gc
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from evenkeel.assignors import ASSIGNORS, JAVA, TASK_ASSIGNORS
from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.commands.text import json_line
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.plugin import available
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.group.columns import (
    TaskNames,
    application_from_document,
    assignment_by_name,
    assumed_paths,
    observed_from_document,
    withheld_by_name,
)
from evenkeel.data.group.columns.application_document import Roles, task_settings
from evenkeel.data.group.document import Document, decode, decode_application
from evenkeel.data.group.document.parsing import parsed_request
from evenkeel.data.scenarios.leaders import client_of, is_clients, led_by
from evenkeel.data.scenarios.size import require_group

EXAMPLES = """\
example:
  echo '{"assignor": "range",
         "group": {"format": "evenkeel.group/1", "topics": [{"name": "orders", "partitions": 3}],
                   "members": [{"member_id": "a", "subscribed": ["orders"]},
                               {"member_id": "b", "subscribed": ["orders"]}]}}' |
    tr -d '\\n' | evenkeel assign --jsonl
  {"assignment":{"a":{"orders":[0,1]},"b":{"orders":[2]}},"withheld":{},"assumed":[],"error":null}

exit codes:
  0  done, some request was answered or there was none
  1  every request failed
  2  a wrong call

settings, all optional:
  client "java": whose code assigns, for range, roundrobin, sticky and cooperative-sticky
    (default: the document's leader.client)
  kafka_version "4.3.1", jdk 17, max_generation -1: for Java only; max_generation is the highest
    generation that a sticky leader has seen
  Kafka's own, with their dotted names

The group may also be a streams document, for high-availability, legacy-sticky, fallback-prior,
streams-sticky and streams-group-sticky.
"""

_EXPECTED = (
    "one JSON request a line, {assignor, group, settings}; make a group document of a listing with"
    " `evenkeel snapshot PATH`"
)
_CLIENT = "client"
_OURS = ("kafka_version", "jdk", "max_generation")

ALL_FAILED = 1
"""Exit code."""


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """One line of input; the group is decoded separately, so that refusals name paths in its
    document.
    """

    assignor: str
    group: msgspec.Raw
    settings: dict[str, Any] | None = None


class Failure(msgspec.Struct, omit_defaults=True):
    """Java's simple name of the exception of Kafka's class, else `REQUEST_ERROR`; `line` of the
    input, from 1.
    """

    type: str
    message: str
    line: int | None = None


class Answer(msgspec.Struct):
    """One line of output; on an error the maps are empty."""

    assignment: dict[str, dict[str, list[int]]] = {}
    withheld: dict[str, dict[str, list[int]]] = {}
    assumed: list[str] = []
    error: Failure | None = None


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    parser.add_argument(
        "--jsonl",
        action="store_true",
        required=True,
        help="read requests and write answers as JSON Lines, the only format",
    )


def run(_options: argparse.Namespace) -> int:
    """Answer standard input line by line; return `ALL_FAILED` if there are requests and all
    failed.
    """
    assignors, budget = available(configuration().plugins), configuration().command_line
    failed: set[bool] = set()
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            # A big answer is millions of lists without cycles: looking for cycles takes longer than
            # the rest of the answer.
            gc.disable()
            reply = _numbered(answer(line, assignors, budget), number)
            failed.add(reply.error is not None)
            sys.stdout.buffer.write(json_line(reply).encode())
            gc.enable()
            sys.stdout.buffer.flush()
    return ALL_FAILED if failed == {True} else 0


class TaskAnswer(msgspec.Struct):
    """One line of output; on an error the maps are empty."""

    assignment: dict[str, Roles] = {}
    threads: dict[str, Roles] = {}
    withheld: dict[str, list[str]] = {}
    probing_rebalance: bool = False
    assumed: list[str] = []
    error: Failure | None = None


def _numbered(given: Answer | TaskAnswer, number: int) -> Answer | TaskAnswer:
    if given.error:
        given.error.line = number
    return given


def answer(
    line: bytes,
    assignors: Mapping[str, Callable[..., Assignor]] = ASSIGNORS,
    budget: Budget = COMMAND_LINE,
) -> Answer | TaskAnswer:
    """Answer one request; never raises."""
    try:
        request = _request(line)
        if request.assignor in TASK_ASSIGNORS:
            return task_answer(request.assignor, request.group, request.settings or {}, budget)
        return _answer(request, assignors, budget)
    except Exception as error:
        return Answer(error=failure(error))


def _answer(
    request: Request, assignors: Mapping[str, Callable[..., Assignor]], budget: Budget
) -> Answer:
    if request.assignor not in assignors:
        raise SnapshotError(
            f'assignor: found "{request.assignor}", expected one of'
            f" {', '.join([*assignors, *TASK_ASSIGNORS])}"
        )
    document = decode(request.group)
    require_group(budget, document, "group")
    assignor = _led(assignors[request.assignor], request, document)
    observed = observed_from_document(document)
    assignment = assignor.assign(observed.snapshot)
    return Answer(
        assignment_by_name(observed, assignment),
        withheld_by_name(observed, assignment),
        assumed_paths(observed, assignment),
    )


def _led(made: Callable[..., Assignor], request: Request, document: Document) -> Assignor:
    """Make the leading client's assignor; settings of Java's assignor are checked even if another
    client leads.
    """
    settings = dict(request.settings or {})
    if not is_clients(request.assignor, made):
        return _with_settings(made, settings)
    client = client_of(document.leader, settings.pop(_CLIENT, None))
    of_java = _with_settings(made, settings)
    return (
        of_java if client == JAVA else led_by(client, {request.assignor: made})[request.assignor]()
    )


def _request(line: bytes) -> Request:
    return parsed_request(line, Request, _EXPECTED, _explained)


def _explained(error: msgspec.ValidationError) -> str:
    misplaced = [name for name in (*_OURS, _CLIENT) if f"unknown field `{name}`" in str(error)]
    hint = (
        f', which belongs in settings: {{"settings": {{"{misplaced[0]}": …}}}}' if misplaced else ""
    )
    return f"{error}{hint}, expected {{assignor, group, settings}}"


def _with_settings(assignor_class: Callable[..., Assignor], settings: dict[str, Any]) -> Assignor:
    """Make an assignor. Kafka's settings have Kafka's dotted names, ours are in snake case;
    plug-ins' settings are in the configuration.
    """
    names = (
        [field.name for field in dataclasses.fields(assignor_class)]
        if assignor_class.name in ASSIGNORS
        else []
    )
    fields = {name if name in _OURS else name.replace("_", "."): name for name in names}
    known = [*fields, *[_CLIENT] * is_clients(assignor_class.name, assignor_class)]
    unknown = sorted(settings.keys() - fields.keys())
    if unknown:
        expected = ", ".join(known) or "none: settings of a plug-in are in the configuration"
        raise SnapshotError(
            f'settings: "{unknown[0]}" is no setting of {assignor_class.name}, expected {expected}'
        )
    return assignor_class(
        **{fields[name]: value for name, value in settings.items() if value is not None}
    )


# Failure: why a request has no answer.


def failure(error: Exception) -> Failure:
    """Return an error as part of an answer."""
    if isinstance(error, AssignorError):
        return Failure(error.java_class, str(error))
    if isinstance(error, SnapshotError | ValueError):
        return Failure(REQUEST_ERROR, str(error))
    # Our own fault must not cost the answers of later lines.
    return Failure(
        REQUEST_ERROR, f"evenkeel failed on this request, {type(error).__name__}: {error}"
    )


# The answer to a request about a Kafka Streams application.


def task_answer(
    assignor: str, document: bytes, settings: dict[str, Any], budget: Budget = COMMAND_LINE
) -> TaskAnswer:
    """Answer with one of `TASK_ASSIGNORS`; never raises."""
    try:
        return _task_answer(assignor, document, settings, budget)
    except Exception as error:
        return TaskAnswer(error=failure(error))


def _task_answer(name: str, text: bytes, settings: dict[str, Any], budget: Budget) -> TaskAnswer:
    document = decode_application(text)
    require_group(budget, document, "group")
    # What a request leaves open, the document says; null is the same as a missing key in both.
    assignor = TASK_ASSIGNORS[name]
    chosen = task_settings(assignor, document.settings or {}, "$.settings") | task_settings(
        assignor, settings, "settings"
    )
    answer = assignor(**chosen).assign(application_from_document(document))
    names = TaskNames(document)
    return TaskAnswer(
        names.by_owner(answer, assignor.group_type),
        names.by_member(answer),
        names.withheld(answer),
        answer.is_probing_rebalance_needed,
        names.assumed_paths(answer),
    )
