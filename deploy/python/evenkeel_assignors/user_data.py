"""User data: the bytes that a member of Evenkeel's assignors sends when it joins, and by which
Evenkeel recognises such a group.

One JSON object:
`{"evenkeel":1,"owned":{"orders":[0,3]},"generation":7,"auto_offset_reset":"earliest","last":{"kept":[],"why":null}}`.
`last`: of the last assignment that this member made as the leader of its group.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from evenkeel_assignors.rule import Held

FORMAT = 1
NONE = -1
"""No generation."""


class MemberReport(NamedTuple):
    """Facts that a member sends of itself. `kept`, `why`: topics in which it kept owners when it
    last led, and the reason.
    """

    owned: Held
    generation: int = NONE
    auto_offset_reset: str | None = None
    kept: tuple[str, ...] = ()
    why: str | None = None


NOTHING = MemberReport({})
"""What a member says whose bytes are not ours: it owns nothing."""


def encode(report: MemberReport) -> bytes:
    """Return the bytes that a member sends."""
    last = {"kept": list(report.kept), "why": report.why}
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
    """Return the decoded bytes, `NOTHING` if they are another assignor's or spoiled. Never
    raises.
    """
    try:
        document = json.loads(bytes(data).decode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError):
        return NOTHING
    if (
        not isinstance(document, dict)
        or not _is_number(document.get("evenkeel"))
        or document["evenkeel"] != FORMAT
    ):
        return NOTHING
    last = document.get("last") if isinstance(document.get("last"), dict) else {}
    generation, kept = document.get("generation"), last.get("kept")
    return MemberReport(
        _owned(document.get("owned")),
        generation if _is_number(generation) and generation >= 0 else NONE,
        _text(document.get("auto_offset_reset")),
        tuple(topic for topic in kept if isinstance(topic, str)) if isinstance(kept, list) else (),
        _text(last.get("why")),
    )


def _owned(document: Any) -> Held:
    """Return the partitions; nothing if one of them cannot be a partition."""
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
