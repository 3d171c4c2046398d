"""Why a document is refused: msgspec's complaint with the whole path, the value found and the value expected."""

import re
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

_COMPLAINT = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<fault>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_LONGEST_VALUE = 60


class Kind(NamedTuple):
    """A kind of document: its `format`, what it is called, and the class of the whole."""

    format: str
    name: str
    shape: type[msgspec.Struct]


class _Place(NamedTuple):
    """Where a complaint leads: the path, the value there, and the type expected of it."""

    path: str
    value: Any
    type: Any


def refusal(text: bytes | str, error: Exception, kind: Kind) -> str:
    """Return one line: path, value found, value expected."""
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
    place, what = _place(root, complaint["path"] or "$"), complaint["what"]
    field = _FIELD.fullmatch(what)
    if field and field["fault"] == "missing required":
        return f"{place.path}.{field['name']}: missing, expected a value"
    if field:
        expected = ", ".join(_only(place.type, lambda one: hasattr(one, "__struct_fields__")).__struct_fields__)
        return f"{place.path}.{field['name']}: unknown key, expected one of {expected}"
    if what.startswith("Invalid enum value"):
        words = get_args(_only(place.type, lambda one: get_origin(one) is Literal))
        return f"{place.path}: found {shown(place.value)}, expected one of {', '.join(words)}"
    expected = what.removeprefix("Expected ").split(", got")[0].replace("`", "").replace(" | ", " or ")
    return f"{place.path}: found {shown(place.value)}, expected {expected}"


def _place(place: _Place, masked: str) -> _Place:
    """Walk to the value at a path."""
    for name, index in _STEP.findall(masked):
        if index.isdigit():
            inside = get_args(_only(place.type, lambda one: get_origin(one) is list))[0]
            place = _Place(f"{place.path}[{index}]", place.value[int(index)], inside)
        elif index:
            place = _first_unfit(place)
        else:
            struct = _only(place.type, lambda one: hasattr(one, "__struct_fields__"))
            inside = get_type_hints(struct, include_extras=True)[name]
            place = _Place(f"{place.path}.{name}", place.value.get(name), inside)
    return place


def _first_unfit(place: _Place) -> _Place:
    """Return the first value of a map that is not of its type: msgspec masks keys of maps as `[...]`."""
    inside = get_args(_only(place.type, lambda one: get_origin(one) is dict))[1]
    name = next((key for key, value in place.value.items() if not _fits(value, inside)), "...")
    return _Place(f"{place.path}.{name}", place.value.get(name), inside)


def _only(given: Any, is_wanted) -> Any:
    """Return the one part of a union that is wanted, or the type itself."""
    parts = get_args(given) if get_origin(given) in (Union, UnionType) else (given,)
    return next(part for part in parts if is_wanted(part))


def _fits(value: Any, given: Any) -> bool:
    try:
        msgspec.convert(value, given)
    except msgspec.ValidationError:
        return False
    return True


def shown(value: Any) -> str:
    """Return a value as JSON, the beginning of a long one."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
