"""Read requests in JSON Lines from standard input; write one answer for each line, in the same
order.

A request is {"assignor": NAME, "group": {group document or streams document}, "settings": {...}}.
If a request fails, its answer has an error; later requests are still answered.
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
  0  done: a request was answered, or there was no request
  1  every request failed
  2  a wrong call

settings, all optional:
  client "java": the client library that computes the assignment; only for range, roundrobin,
    sticky and cooperative-sticky (default: leader.client in the group document)
  kafka_version "4.3.1", jdk 17, max_generation -1: only for client "java"; max_generation is the
    highest generation that a sticky leader has seen
  Kafka's own settings, by their dotted names

The group may also be a streams document, for high-availability, legacy-sticky, fallback-prior,
streams-sticky and streams-group-sticky.
"""

_EXPECTED = (
    "one JSON request a line, {assignor, group, settings}; `evenkeel snapshot PATH` turns a listing"
    " into a group document"
)
_CLIENT = "client"
_OURS = ("kafka_version", "jdk", "max_generation")

ALL_FAILED = 1
"""Exit code."""


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """One line of input.

    `group` is decoded later, so that error messages contain a path inside the group document.
    """

    assignor: str
    group: msgspec.Raw
    settings: dict[str, Any] | None = None


class Failure(msgspec.Struct, omit_defaults=True):
    """Why there is no answer.

    `type`: name of Kafka's Java exception without its package; `REQUEST_ERROR` for other errors.
    `line`: line number in the input, from 1.
    """

    type: str
    message: str
    line: int | None = None


class Answer(msgspec.Struct):
    """One line of output; after an error the maps are empty."""

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
        help="read requests and write answers as JSON Lines; there is no other format",
    )


def run(_options: argparse.Namespace) -> int:
    """Answer each line of standard input. Return `ALL_FAILED` if all requests failed, else 0."""
    assignors, budget = available(configuration().plugins), configuration().command_line
    failed: set[bool] = set()
    for number, line in enumerate(sys.stdin.buffer, 1):
        if line.strip():
            # A large answer has millions of lists without cycles, and the garbage collector would
            # search them for longer than the rest of the work.
            gc.disable()
            reply = _numbered(answer(line, assignors, budget), number)
            failed.add(reply.error is not None)
            sys.stdout.buffer.write(json_line(reply).encode())
            gc.enable()
            sys.stdout.buffer.flush()
    return ALL_FAILED if failed == {True} else 0


class TaskAnswer(msgspec.Struct):
    """One line of output for an application; after an error the maps are empty."""

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
    """Answer one request. Never raises."""
    try:
        request = parsed_request(line, Request, _EXPECTED, _explained)
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
    """Return the assignor of the leader's client library.

    The settings are always checked as settings of Java's assignor.
    """
    settings = dict(request.settings or {})
    if not is_clients(request.assignor, made):
        return _with_settings(made, settings)
    client = client_of(document.leader, settings.pop(_CLIENT, None))
    of_java = _with_settings(made, settings)
    return (
        of_java if client == JAVA else led_by(client, {request.assignor: made})[request.assignor]()
    )


def _explained(error: msgspec.ValidationError) -> str:
    misplaced = [name for name in (*_OURS, _CLIENT) if f"unknown field `{name}`" in str(error)]
    hint = (
        f', which belongs in settings: {{"settings": {{"{misplaced[0]}": …}}}}' if misplaced else ""
    )
    return f"{error}{hint}, expected {{assignor, group, settings}}"


def _with_settings(assignor_class: Callable[..., Assignor], settings: dict[str, Any]) -> Assignor:
    """Return an assignor with these settings.

    Kafka's settings have dotted names, Evenkeel's settings have names in snake case. The settings
    of a plug-in are in the configuration; a request must not contain them.
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
        expected = ", ".join(known) or "none: a plug-in's settings are in the configuration"
        raise SnapshotError(
            f'settings: "{unknown[0]}" is not a setting of {assignor_class.name},'
            f" expected {expected}"
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
    # A fault of Evenkeel must not prevent the answers to later lines.
    return Failure(
        REQUEST_ERROR, f"evenkeel failed on this request, {type(error).__name__}: {error}"
    )


# The answer to a request about a Kafka Streams application.


def task_answer(
    assignor: str, document: bytes, settings: dict[str, Any], budget: Budget = COMMAND_LINE
) -> TaskAnswer:
    """Answer with one of `TASK_ASSIGNORS`. Never raises."""
    try:
        return _task_answer(assignor, document, settings, budget)
    except Exception as error:
        return TaskAnswer(error=failure(error))


def _task_answer(name: str, text: bytes, settings: dict[str, Any], budget: Budget) -> TaskAnswer:
    document = decode_application(text)
    require_group(budget, document, "group")
    # The request's settings replace the document's settings; null is the same as a missing key.
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
