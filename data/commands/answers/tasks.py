"""The answer to a request about a Kafka Streams application."""

from typing import Any

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.data.budget import COMMAND_LINE, Budget
from evenkeel.data.columns import TaskNames, application_from_document
from evenkeel.data.columns.application_document import Roles, task_settings
from evenkeel.data.commands.answers.failure import Failure, failure
from evenkeel.data.document import decode_application
from evenkeel.data.scenarios.size import require_group


class TaskAnswer(msgspec.Struct):
    """One line of output; on an error the maps are empty."""

    assignment: dict[str, Roles] = {}
    threads: dict[str, Roles] = {}
    withheld: dict[str, list[str]] = {}
    probing_rebalance: bool = False
    assumed: list[str] = []
    error: Failure | None = None


def task_answer(assignor: str, document: bytes, settings: dict[str, Any], budget: Budget = COMMAND_LINE) -> TaskAnswer:
    """Answer with one of `TASK_ASSIGNORS`; never raises."""
    try:
        return _answer(assignor, document, settings, budget)
    except Exception as error:
        return TaskAnswer(error=failure(error))


def _answer(name: str, text: bytes, settings: dict[str, Any], budget: Budget) -> TaskAnswer:
    document = decode_application(text)
    require_group(budget, document, "group")
    # What a request leaves open, the document says; null is the same as a missing key in both.
    assignor = TASK_ASSIGNORS[name]
    chosen = task_settings(assignor, document.settings or {}, "$.settings") | task_settings(assignor, settings, "settings")
    answer = assignor(**chosen).assign(application_from_document(document))
    names = TaskNames(document)
    return TaskAnswer(
        names.by_owner(answer, assignor.group_type),
        names.by_member(answer),
        names.withheld(answer),
        answer.is_probing_rebalance_needed,
        names.assumed_paths(answer),
    )
