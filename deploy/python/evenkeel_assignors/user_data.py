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


class Told(NamedTuple):
    """What a member says of itself. `kept`, `why`: topics in which it kept owners when it last led,
    and the reason.
    """

    owned: Held
    generation: int = NONE
    auto_offset_reset: str | None = None
    kept: tuple[str, ...] = ()
    why: str | None = None


NOTHING = Told({})
"""What a member says whose bytes are not ours: it owns nothing."""


def encode(told: Told) -> bytes:
    """Return the bytes that a member sends."""
    last = {"kept": list(told.kept), "why": told.why}
    said = {
        "evenkeel": FORMAT,
        "owned": told.owned,
        "generation": told.generation,
        "auto_offset_reset": told.auto_offset_reset,
    }
    return json.dumps(said | {"last": last}, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def decode(data: Any) -> Told:
    """Return the decoded bytes, `NOTHING` if they are another assignor's or spoiled. Never raises."""
    try:
        said = json.loads(bytes(data).decode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError):
        return NOTHING
    if (
        not isinstance(said, dict)
        or not _is_number(said.get("evenkeel"))
        or said["evenkeel"] != FORMAT
    ):
        return NOTHING
    last = said.get("last") if isinstance(said.get("last"), dict) else {}
    generation, kept = said.get("generation"), last.get("kept")
    return Told(
        _owned(said.get("owned")),
        generation if _is_number(generation) and generation >= 0 else NONE,
        _text(said.get("auto_offset_reset")),
        tuple(one for one in kept if isinstance(one, str)) if isinstance(kept, list) else (),
        _text(last.get("why")),
    )


def _owned(said: Any) -> Held:
    """Return the partitions; nothing if one of them cannot be a partition."""
    if not isinstance(said, Mapping) or not all(
        isinstance(numbers, list) and all(map(_is_partition, numbers)) for numbers in said.values()
    ):
        return {}
    return {topic: sorted(set(numbers)) for topic, numbers in said.items()}


def _is_number(one: Any) -> bool:
    return isinstance(one, int) and not isinstance(one, bool)


def _is_partition(one: Any) -> bool:
    return _is_number(one) and 0 <= one < 1 << 31


def _text(one: Any) -> str | None:
    return one if isinstance(one, str) else None
