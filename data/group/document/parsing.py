"""Parsing of documents: convert text to a document, or refuse it with a reason."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from evenkeel.data.errors import SnapshotError

T = TypeVar("T")


class Kind(NamedTuple):
    """A kind of document: its `format`, its name in messages, and its class."""

    format: str
    name: str
    shape: type[msgspec.Struct]


def parsed(text: bytes | str, kind: Kind) -> Any:
    """Return a text as a document of this kind.

    Raises
    ------
    SnapshotError
        If the text is invalid; the message has the path, the value and the expected value.
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
        raise SnapshotError(
            f"$.taken_at: found {taken_at and taken_at.isoformat()}, expected a time from the"
            " years 1 to 9999 in UTC"
        ) from None


def refuse_repeats(key: str, names: Sequence[Any], paths: Sequence[str] | str):
    """Refuse a repeated name; `paths`: paths of the named objects, or the path of their array."""
    if len(set(names)) == len(names):
        return
    paths = (
        [f"{paths}[{place}]" for place in range(len(names))] if isinstance(paths, str) else paths
    )
    first: dict[Any, str] = {}
    for path, name in zip(paths, names, strict=True):
        if first.setdefault(name, path) != path:
            raise SnapshotError(
                f'{path}.{key}: "{name}" is the same as in {first[name]}, expected every {key} once'
            )


# Why a document is refused: msgspec's complaint, with full path, value and expected value.


_COMPLAINT = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>.*)`)?", re.DOTALL)
_FIELD = re.compile(
    r"Object (?P<fault>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL
)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_LONGEST_VALUE = 60


class _Place(NamedTuple):
    """A place in a document: its path, its value, and its expected type."""

    path: str
    value: Any
    type: Any


def refusal(text: bytes | str, error: Exception, kind: Kind) -> str:
    """Return one line with the path in the document, the found value and the expected value."""
    try:
        root = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return f"not JSON: {error}"
    if not isinstance(root, dict):
        return f"$: found {shown(root)}, expected the object of a {kind.name}"
    if "format" not in root:
        return f'$.format: missing, expected "{kind.format}"'
    if root["format"] != kind.format:
        return f'$.format: found {shown(root["format"])}, expected "{kind.format}"'
    return _line(_Place("$", root, kind.shape), _COMPLAINT.fullmatch(str(error)))


def _line(root: _Place, complaint: re.Match) -> str:
    place, complaint_text = _place(root, complaint["path"] or "$"), complaint["what"]
    field = _FIELD.fullmatch(complaint_text)
    if field and field["fault"] == "missing required":
        return f"{place.path}.{field['name']}: missing, expected a value"
    if field:
        expected = ", ".join(
            _only(place.type, lambda kind: hasattr(kind, "__struct_fields__")).__struct_fields__
        )
        return f"{place.path}.{field['name']}: unknown key, expected one of {expected}"
    if complaint_text.startswith("Invalid enum value"):
        words = get_args(_only(place.type, lambda kind: get_origin(kind) is Literal))
        return f"{place.path}: found {shown(place.value)}, expected one of {', '.join(words)}"
    expected = (
        complaint_text.removeprefix("Expected ")
        .split(", got")[0]
        .replace("`", "")
        .replace(" | ", " or ")
    )
    return f"{place.path}: found {shown(place.value)}, expected {expected}"


def _place(place: _Place, masked: str) -> _Place:
    """Return the place to which a path of msgspec leads; the path starts at `place`."""
    for name, index in _STEP.findall(masked):
        if index.isdigit():
            inside = get_args(_only(place.type, lambda kind: get_origin(kind) is list))[0]
            place = _Place(f"{place.path}[{index}]", place.value[int(index)], inside)
        elif index:
            place = _first_unfit(place)
        else:
            struct = _only(place.type, lambda kind: hasattr(kind, "__struct_fields__"))
            inside = get_type_hints(struct, include_extras=True)[name]
            place = _Place(f"{place.path}.{name}", place.value.get(name), inside)
    return place


def _first_unfit(place: _Place) -> _Place:
    """Return the first value in a mapping that has a wrong type.

    msgspec writes `[...]` in place of the value's key.
    """
    inside = get_args(_only(place.type, lambda kind: get_origin(kind) in (dict, Mapping)))[1]
    name = next((key for key, value in place.value.items() if not _fits(value, inside)), "...")
    return _Place(f"{place.path}.{name}", place.value.get(name), inside)


def _only(given: Any, is_wanted) -> Any:
    """Return the type in a union for which `is_wanted` is true; a single type is also allowed."""
    parts = get_args(given) if get_origin(given) in (Union, UnionType) else (given,)
    return next(part for part in parts if is_wanted(part))


def _fits(value: Any, given: Any) -> bool:
    try:
        msgspec.convert(value, given)
    except msgspec.ValidationError:
        return False
    return True


def shown(value: Any) -> str:
    """Return a value as JSON; a long value is shortened."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


# Keys that appear twice in a JSON object are refused, because decoders silently use the last value.


_UNCOUNTED = (b"\\", b" :", b"\t:", b"\n:", b"\r:")
"""Bytes in a text whose keys may not all end with `":`, so that counting `":` is not exact."""


def parsed_request(
    line: bytes, kind: type[T], expected: str, explain: Callable[[msgspec.ValidationError], str]
) -> T:
    """Return a request from a line of JSON.

    `group` in the request stays raw JSON and is parsed later, so that errors have paths of the
    document. `expected`: what a line must contain. `explain`: returns the message for a wrong key
    or value.

    Raises
    ------
    SnapshotError
        If the line is not a valid request.
    """
    try:
        request = msgspec.json.decode(line, type=kind)
        doubled = doubled_key(line.replace(bytes(request.group), b"null"))
    except msgspec.ValidationError as error:
        raise SnapshotError(f"request: {explain(error)}") from None
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"request: {error}, expected {expected}") from None
    if doubled:
        raise SnapshotError(f"request: {doubled}: the key appears twice, expected once")
    return request


class _DoubledObject(NamedTuple):
    """A JSON object in which a key appears twice."""

    key: str


def may_be_doubled(text: bytes, read: msgspec.Struct) -> bool:
    """Return whether a key may appear twice in an object of `text`; `read`: the parsed document.

    This check is quick; a search for the key needs as much time as parsing. True if the text has
    more keys than the document, or if the keys cannot be counted.
    """
    return text.count(b'":') != msgspec.json.encode(read).count(b'":') or any(
        signs in text for signs in _UNCOUNTED
    )


def doubled_key(text: bytes) -> str | None:
    """Return the path of a key that appears twice in its object; None if there is none."""
    doubled: list[str] = []
    json.loads(text, object_pairs_hook=lambda pairs: doubled.extend(_twice(pairs)))
    if not doubled:
        return None
    return next(_paths(json.loads(text, object_pairs_hook=_marked), "$"))


def _twice(pairs: list[tuple[str, Any]]) -> list[str]:
    if len(dict(pairs)) == len(pairs):
        return []
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return [key]
        seen.add(key)
    return []


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _DoubledObject:
    doubled = _twice(pairs)
    return _DoubledObject(doubled[0]) if doubled else dict(pairs)


def _paths(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, _DoubledObject):
        yield f"{path}.{value.key}"
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from _paths(inside, f"{path}.{key}")
    elif isinstance(value, list):
        for place, inside in enumerate(value):
            yield from _paths(inside, f"{path}[{place}]")
