"""The answer to a request about a Kafka Streams application."""

from dataclasses import fields
from typing import Any

import msgspec

from assignors import TASK_ASSIGNORS
from data.columns import TaskNames, application_from_document
from data.columns.task_names import Roles
from data.commands.answers.failure import Failure, failure
from data.document import decode_application
from data.errors import SnapshotError

_OURS = ("jdk",)
_LISTS = ("rack_aware_assignment_tags",)


class TaskAnswer(msgspec.Struct):
    """One line of output; on an error the maps are empty."""

    assignment: dict[str, Roles] = {}
    threads: dict[str, Roles] = {}
    withheld: dict[str, list[str]] = {}
    probing_rebalance: bool = False
    assumed: list[str] = []
    error: Failure | None = None


def task_answer(assignor: str, document: bytes, settings: dict[str, Any]) -> TaskAnswer:
    """Answer with one of `TASK_ASSIGNORS`; never raises."""
    try:
        return _answer(assignor, document, settings)
    except Exception as error:
        return TaskAnswer(error=failure(error))


def _answer(name: str, text: bytes, settings: dict[str, Any]) -> TaskAnswer:
    document = decode_application(text)
    # What a request leaves open, the document says; null is the same as a missing key in both.
    assignor = TASK_ASSIGNORS[name]
    chosen = _known(assignor, document.settings or {}, "$.settings") | _known(assignor, settings, "settings")
    answer = assignor(**chosen).assign(application_from_document(document))
    names = TaskNames(document)
    return TaskAnswer(
        names.by_process(answer),
        names.by_member(answer),
        names.withheld(answer),
        answer.is_probing_rebalance_needed,
        names.assumed_paths(answer),
    )


def _known(assignor: type, settings: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the values by field; Kafka's settings have Kafka's dotted names, ours are in snake case."""
    names = [field.name for field in fields(assignor)]
    field_of = {name if name in _OURS else name.replace("_", "."): name for name in names}
    unknown = sorted(settings.keys() - field_of.keys())
    if unknown:
        raise SnapshotError(f'{path}: "{unknown[0]}" is no setting of {assignor.name}, expected {", ".join(field_of)}')
    return {field_of[name]: _value(field_of[name], value) for name, value in settings.items() if value is not None}


def _value(field: str, value: Any) -> Any:
    """Return a list as Kafka reads it from a line of text, or as JSON has it."""
    if field not in _LISTS or isinstance(value, list):
        return tuple(value) if isinstance(value, list) else value
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
