"""Parsing: text becomes a document of one kind, or is refused with the reason; what all kinds refuse stands here."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec

from evenkeel.data.document.doubled_keys import doubled_key, may_be_doubled
from evenkeel.data.document.refusal import Kind, refusal
from evenkeel.data.errors import SnapshotError


def parsed(text: bytes | str, kind: Kind) -> Any:
    """Return the document, an instance of the kind's shape.

    Raises
    ------
    SnapshotError
        With the path, the value found and the value expected.
    """
    try:
        document = _decoder(kind.shape).decode(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(refusal(text, error, kind)) from None
    _refuse_doubled_keys(text.encode() if isinstance(text, str) else bytes(text), document)
    if document.format != kind.format:
        raise SnapshotError(f'$.format: found "{document.format}", expected "{kind.format}"')
    _check_time(document.taken_at)
    return document


@cache
def _decoder(shape: type[msgspec.Struct]) -> msgspec.json.Decoder:
    return msgspec.json.Decoder(shape)


def _refuse_doubled_keys(text: bytes, document: msgspec.Struct):
    doubled = doubled_key(text) if may_be_doubled(text, document) else None
    if doubled:
        raise SnapshotError(f"{doubled}: the key appears twice, expected once")


def _check_time(taken_at: datetime | None):
    try:
        taken_at and taken_at.astimezone(UTC)
    except OverflowError:
        raise SnapshotError(f"$.taken_at: found {taken_at.isoformat()}, expected an instant of the years 1 to 9999 in UTC") from None


def refuse_repeats(key: str, names: Sequence[Any], paths: Sequence[str] | str):
    """Refuse a name that stands twice; `paths` are those of the objects that have it, or the array they stand in."""
    if len(set(names)) == len(names):
        return
    paths = [f"{paths}[{place}]" for place in range(len(names))] if isinstance(paths, str) else paths
    first: dict[Any, str] = {}
    for path, name in zip(paths, names, strict=True):
        if first.setdefault(name, path) != path:
            raise SnapshotError(f'{path}.{key}: "{name}" is the same as in {first[name]}, expected every {key} once')
