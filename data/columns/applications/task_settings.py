"""Settings with Kafka's dotted names become the fields of a task assignor."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from evenkeel.data.errors import SnapshotError

_OURS = ("jdk",)
_LAST = ("traffic_cost", "non_overlap_cost")
_LISTS = ("rack_aware_assignment_tags",)


def task_settings(assignor: type, settings: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the values by field; Kafka's settings have Kafka's dotted names, ours are in snake case. Null is a missing key.

    Raises
    ------
    SnapshotError
        Where a name is no setting; `path` names the place.
    """
    names = [field.name for field in fields(assignor)]
    field_of = {name if name in _OURS else dotted(name): name for name in names}
    unknown = sorted(settings.keys() - field_of.keys())
    if unknown:
        raise SnapshotError(f'{path}: "{unknown[0]}" is no setting of {assignor.name}, expected {", ".join(field_of)}')
    return {field_of[name]: _value(field_of[name], value) for name, value in settings.items() if value is not None}


def dotted(name: str) -> str:
    """Return Kafka's name, in which the last words of some settings are one."""
    last = next(filter(name.endswith, _LAST), "")
    return name.removesuffix(last).replace("_", ".") + last


def _value(field: str, value: Any) -> Any:
    """Return a list as Kafka reads it from a line of text, or as JSON has it."""
    if field not in _LISTS or isinstance(value, list):
        return tuple(value) if isinstance(value, list) else value
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
