"""Sentences about a refused edit of What-if, in the words of the edit's form."""

import re

_REASON = re.compile(r"(?P<key>\w+)(?:\[[^\]]*\])?: (?P<why>.*)", re.DOTALL)
_SHAPE = re.compile(r"(?P<what>.*?) - at `\$\.(?P<key>\w+)[^`]*`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<key>\w+)`.*", re.DOTALL)

_LABELS = {
    "capacity": "What each member reads",
    "count": "Partitions",
    "factor": "Times",
    "in_rate": "Records into each partition",
    "instance_id": "group.instance.id",
    "instance_ids": "group.instance.id",
    "lag": "Lag in records",
    "name": "Name",
    "partition": "Partition",
    "partitions": "Partitions",
    "racks": "Racks",
    "regex": "Topics that match",
    "seconds": "Seconds",
    "subscribed_regex": "Topics that match",
    "topic": "Topic",
    "topic_id": "Topic id",
}
"""The label of a form's field, by the argument's name. Arguments without a label name missing
things, and the sentence of the refusal says which.
"""

_WHOLE = {
    "like: missing, expected a member to be like, or subscribed, or subscribed_regex": (
        "Choose a member to copy, or topics."
    ),
    "in_rate: missing, and there is no history of the group to take it from, expected records/s": (
        "The rates are missing, and the group has no history to take them from. Change this edit"
        " and type the rates."
    ),
    "topics: missing, expected topics or regex": (
        "Choose topics, or write an expression that matches topics."
    ),
}


def refusal(reason: str) -> str:
    """Return the sentence about a refused edit. `reason`: the error message, such as `count: found
    2, expected at least 3`.
    """
    match = _REASON.fullmatch(reason)
    if reason in _WHOLE or not match:
        return _WHOLE.get(reason, reason)
    why = match["why"]
    if why.startswith(('no member "', 'no topic "', 'no process "')):
        return f"There is {why}."
    label = _LABELS.get(match["key"])
    return f"{label}: {why}." if label else f"{why[0].upper()}{why[1:]}."


def malformed(complaint: str) -> str:
    """Return the sentence about a missing or too large value in a form. `complaint`: the error
    message of msgspec.
    """
    missing, shape = _MISSING.fullmatch(complaint), _SHAPE.fullmatch(complaint)
    if missing:
        return f"{_LABELS.get(missing['key'], missing['key'])}: nothing is chosen."
    return (
        f"{_LABELS.get(shape['key'], shape['key'])}: {shape['what'][0].lower()}{shape['what'][1:]}."
        if shape
        else complaint
    )
