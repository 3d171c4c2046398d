"""Tasks as `kafka-streams-groups.sh` lists them: `ACTIVE: 0:[0,2]; STANDBY: 0:[1]; `, or `ACTIVE-TASKS:: 0: [0, 1] ` a line each."""

import re

from evenkeel.data.sources.parsing.numbers import INT32, Unreadable, partition_number, whole

_ROLE = re.compile(r"(TARGET-)?(ACTIVE|STANDBY|WARMUP)(?:-TASKS)?:{1,2}(?=\s|$)")
_LEADING = re.compile(rf"\s*{_ROLE.pattern}")
# The first release printed the brackets of Java's list inside its own: `0: [[0, 1],1: [[0]] `.
_TASKS = re.compile(r"[\s,;\]]*([^\s:\[\]]+)\s*:\s*\[{1,2}([\d,\s]*)\]{0,2}")
_REST = re.compile(r"[\s,;\]]*")

_TARGET = {"ACTIVE": "owned", "STANDBY": "standby", "WARMUP": "warmup"}


def are_tasks(text: str) -> bool:
    """Tell whether a line begins with a list of tasks."""
    return _LEADING.match(text) is not None


def tasks_by_column(text: str) -> dict[str, list[str]]:
    """Return the task ids of each printed list by their column of CONSUMERS.

    Raises
    ------
    Unreadable
        When the text is no such list.
    """
    roles = list(_ROLE.finditer(text))
    if not roles or text[: roles[0].start()].strip():
        raise Unreadable(f"tasks are {text[:80]!r}, expected lists such as ACTIVE: 0:[0,2]; STANDBY: 0:[1];")
    ends = [role.start() for role in roles[1:]] + [len(text)]
    return {_column(role): _task_ids(text[role.end() : end]) for role, end in zip(roles, ends, strict=True)}


def _column(role: re.Match) -> str:
    return _TARGET[role[2]] if role[1] else f"current_{role[2].lower()}"


def _task_ids(text: str) -> list[str]:
    found, at = [], 0
    while not _REST.fullmatch(text, at):
        part = _TASKS.match(text, at)
        if part is None:
            raise Unreadable(f"tasks are {text.strip()[:80]!r}, expected a list such as 0:[0,2]; 1:[0];")
        subtopology = whole(part[1], "a subtopology", 0, INT32)
        numbers = [number.strip() for number in part[2].split(",") if number.strip()]
        found += [f"{subtopology}_{partition_number(number, 'the partition of a task')}" for number in numbers]
        at = part.end()
    return found
