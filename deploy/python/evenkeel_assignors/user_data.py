"""User data: bytes that a member with an assignor of this package sends when it joins. Evenkeel
recognises such a group by this user data.

The bytes are one JSON object:
`{"evenkeel":1,"owned":{"orders":[0,3]},"generation":7,"auto_offset_reset":"earliest","last":{"kept":[],"why":null}}`.
`last`: the assignment that this member computed when it was last the leader.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from evenkeel_assignors.rule import Held

FORMAT = 1
NONE = -1
"""The generation is unknown."""


class MemberReport(NamedTuple):
    """The facts that a member reports when it joins.

    `kept_topics`: topics whose partitions stayed with their owners when this member was last the
    leader. `why`: the reason.
    """

    owned: Held
    generation: int = NONE
    auto_offset_reset: str | None = None
    kept_topics: tuple[str, ...] = ()
    why: str | None = None


NOTHING = MemberReport({})
"""The report of a member whose bytes are from another assignor: no owned partitions."""


def encode(report: MemberReport) -> bytes:
    """Return the bytes that a member sends."""
    last = {"kept": list(report.kept_topics), "why": report.why}
    document = {
        "evenkeel": FORMAT,
        "owned": report.owned,
        "generation": report.generation,
        "auto_offset_reset": report.auto_offset_reset,
    }
    return json.dumps(document | {"last": last}, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def decode(data: Any) -> MemberReport:
    """Return the decoded bytes, or `NOTHING` if they are broken or from another assignor. Never
    raises an error.
    """
    try:
        document = json.loads(bytes(data).decode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError):
        return NOTHING
    if not isinstance(document, dict):
        return NOTHING
    format_number = document.get("evenkeel")
    if not _is_number(format_number) or format_number != FORMAT:
        return NOTHING

    generation = document.get("generation")
    last = document.get("last") if isinstance(document.get("last"), dict) else {}
    topics = last.get("kept") if isinstance(last.get("kept"), list) else []
    return MemberReport(
        _owned(document.get("owned")),
        generation if _is_number(generation) and generation >= 0 else NONE,
        _text(document.get("auto_offset_reset")),
        tuple(topic for topic in topics if isinstance(topic, str)),
        _text(last.get("why")),
    )


def _owned(document: Any) -> Held:
    """Return the owned partitions. If an entry cannot be a partition, return {}."""
    if not isinstance(document, Mapping) or not all(
        isinstance(numbers, list) and all(map(_is_partition, numbers))
        for numbers in document.values()
    ):
        return {}
    return {topic: sorted(set(numbers)) for topic, numbers in document.items()}


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_partition(value: Any) -> bool:
    return _is_number(value) and 0 <= value < 1 << 31


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
