"""Keys that appear twice in one object of JSON: decoders silently keep the last one, and the writer may have meant either."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

_UNCOUNTED = (b"\\", b" :", b"\t:", b"\n:", b"\r:")
"""Bytes after which the end of a key is not always `":`."""


class _Doubled(NamedTuple):
    """An object in which a key appears twice."""

    key: str


def may_be_doubled(text: bytes, read: msgspec.Struct) -> bool:
    """Tell whether a key may appear twice in `text`: it has more keys than the document `read` from it, or they cannot be counted.

    A quick check, because looking for the key takes as long as reading.
    """
    return text.count(b'":') != msgspec.json.encode(read).count(b'":') or any(signs in text for signs in _UNCOUNTED)


def doubled_key(text: bytes) -> str | None:
    """Return the path of a key that appears twice in its object, None if there is none."""
    found: list[str] = []
    json.loads(text, object_pairs_hook=lambda pairs: found.extend(_twice(pairs)))
    if not found:
        return None
    return next(_paths(json.loads(text, object_pairs_hook=_marked), "$"))


def _twice(pairs: list[tuple[str, Any]]) -> list[str]:
    if len(dict(pairs)) == len(pairs):
        return []
    seen: set[str] = set()
    return [key for key, _ in pairs if key in seen or seen.add(key)][:1]


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Doubled:
    doubled = _twice(pairs)
    return _Doubled(doubled[0]) if doubled else dict(pairs)


def _paths(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, _Doubled):
        yield f"{path}.{value.key}"
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from _paths(inside, f"{path}.{key}")
    elif isinstance(value, list):
        for place, inside in enumerate(value):
            yield from _paths(inside, f"{path}[{place}]")
