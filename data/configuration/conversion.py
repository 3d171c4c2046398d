"""Types for the tables of the configuration, and secrets by reference.

An error message has the key, the type and the expected type, never the value.
"""

import os
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

import msgspec

from evenkeel.data.errors import SnapshotError

T = TypeVar("T")

Number = Annotated[int, msgspec.Meta(ge=0, description="a whole number, 0 or more")]

_WORDS = {
    bool: "true or false",
    str: "a string",
    int: "a whole number",
    float: "a number",
    Path: "a string",
}


class Duration(timedelta):
    """A duration."""

    EXPECTED: ClassVar[str] = 'a number and s, m, h or d, such as "24h"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a duration.

        Raises
        ------
        ValueError
            If the text is not a duration.
        """
        # ASCII, because \d also matches digits of other scripts.
        parts = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)\s*([smhd])", text, re.ASCII)
        if not parts:
            raise ValueError(f"{text!r} is not a duration, expected {cls.EXPECTED}")
        return cls(**{_UNITS[parts[2]]: float(parts[1])})


class ByteCount(int):
    """A number of bytes."""

    EXPECTED: ClassVar[str] = 'a number and MB or GB, such as "512 MB"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a number of bytes.

        Raises
        ------
        ValueError
            If the text is not a number of bytes.
        """
        parts = re.fullmatch(r"(\d{1,6})\s*(MB|GB)", text, re.ASCII)
        if not parts:
            raise ValueError(f"{text!r} is not a number of bytes, expected {cls.EXPECTED}")
        return cls(int(parts[1]) * _BYTES[parts[2]])


class Percentage(float):
    """A percentage, as a fraction of 1."""

    EXPECTED: ClassVar[str] = 'a number from 1 to 100 and %, such as "10 %"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a percentage.

        Raises
        ------
        ValueError
            If the text is not a percentage from 1 to 100.
        """
        parts = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?)\s*%", text, re.ASCII)
        if not parts or not 1 <= float(parts[1]) <= 100:
            raise ValueError(f"{text!r} is not a percentage, expected {cls.EXPECTED}")
        return cls(float(parts[1]) / 100)


_WORDS |= {
    Duration: Duration.EXPECTED,
    ByteCount: ByteCount.EXPECTED,
    Percentage: Percentage.EXPECTED,
}
_TABLE, _LIST = "a table", "a list"
_FOUND = {dict: _TABLE, list: _LIST, datetime: "a date and time", date: "a date", time: "a time"}


def converted(value: Any, kind: type[T], key: str = "") -> T:
    """Convert a value from the parsed file to the type `kind`.

    `key`: path of the value in the file, for error messages.

    Raises
    ------
    SnapshotError
        If a key is unknown or missing, or a value is wrong.
    """
    try:
        return msgspec.convert(value, kind, dec_hook=_read)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        raise SnapshotError(
            _fault(message, *_followed(path.removesuffix("`"), key, value, kind))
        ) from None


def type_found(value: Any) -> str:
    """Return the type of a value in words, such as `a string`."""
    return (_WORDS | _FOUND).get(type(value), "a value of another type")


def _read(kind: type, value: Any) -> Any:
    """Convert a value to a type that msgspec does not know."""
    if not isinstance(value, str):
        raise ValueError
    return Path(value).expanduser() if kind is Path else kind.parse(value)


def _fault(message: str, key: str, value: Any, kind: Any) -> str:
    name = re.fullmatch(r"Object (?:contains unknown|missing required) field `(.*)`", message)
    if not name:
        return f"{key} is {type_found(value)}, expected {_expected(kind)}"
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    if name[1] in fields:
        return f"no key {_joined(key, name[1])}, expected {_expected(fields[name[1]])}"
    return f"unknown key {_joined(key, name[1])}, expected one of: {', '.join(sorted(fields))}"


def _followed(path: str, key: str, value: Any, kind: Any) -> tuple[str, Any, Any]:
    """Return the key, the value and the expected type of the setting that msgspec refused.

    `path`: the setting's path in msgspec's error, such as `.plugins[...].jars[0]`.
    """
    kind = _table_of(kind)
    # If a setting may be a table, such as a reference, its keys are not checked.
    if not path or get_origin(kind) is Annotated:
        return key, value, kind
    if get_origin(kind) is dict:
        of = get_args(kind)[1]
        # msgspec writes `[...]` for the key of a map: it is the first key with a wrong value.
        name = next(name for name in value if not _fits(value[name], of))
        return _followed(path.removeprefix("[...]"), _joined(key, name), value[name], of)
    if get_origin(kind) is tuple and (place := re.match(r"\[(\d+)]", path)):
        return _followed(
            path[place.end() :], key + place[0], value[int(place[1])], get_args(kind)[0]
        )
    if not _is_table(kind):
        return key, value, kind
    # A key may contain a dot.
    field = max(
        (
            field
            for field in msgspec.structs.fields(kind)
            if path.startswith(f".{field.encode_name}")
        ),
        key=lambda field: len(field.encode_name),
    )
    return _followed(
        path[len(field.encode_name) + 1 :],
        _joined(key, field.encode_name),
        value[field.encode_name],
        field.type,
    )


def _table_of(kind: Any) -> Any:
    """Return `Table` if `kind` is `Table | None`; return other types unchanged."""
    table, *others = get_args(kind) or (kind,)
    return table if others == [NoneType] and _is_table(table) else kind


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, dec_hook=_read)
    except msgspec.ValidationError:
        return False
    return True


def _expected(kind: Any) -> str:
    origin, of = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return next((meta.description for meta in of[1:] if meta.description), _expected(of[0]))
    if origin is Literal:
        return " or ".join(of)
    if origin in (dict, Mapping) or _is_table(kind):
        return _TABLE
    if origin is tuple:
        return _LIST
    return _WORDS.get(kind) or " or ".join(_expected(part) for part in of if part is not NoneType)


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


# Quantities as people write them: `24h`, `1.5m`, `512 MB`, `10 %`.


_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_BYTES = {"MB": 10**6, "GB": 10**9}


# Secrets by reference.


_HIDDEN = "***"
_SHORTEST = 4


def resolved(name: str, value: Any, environment: Mapping[str, str] = os.environ) -> str:
    """Return a setting's value. A reference is replaced by the text of its variable, or of
    its file without final line ends.

    Raises
    ------
    SnapshotError
        If the reference is broken. The message has only the setting's name, because the reference
        may be a secret.
    """
    if not isinstance(value, Mapping):
        if not isinstance(value, str | bool | int | float):
            raise SnapshotError(f"{name} is {type_found(value)}, expected a string")
        # TOML's true is Python's True; the clients expect `true`.
        return str(value).lower() if isinstance(value, bool) else str(value)
    (kind, where), *more = value.items() or [("", "")]
    if more or kind not in ("env", "file") or not isinstance(where, str):
        raise SnapshotError(
            f'{name} is {type_found(value)} with wrong keys or values, expected {{env = "NAME"}} or'
            ' {file = "path"}'
        )
    if kind == "env":
        if where not in environment:
            raise SnapshotError(f"{name}: its environment variable is not set")
        return environment[where]
    try:
        return Path(where).expanduser().read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise SnapshotError(
            f"{name}: its file: {getattr(error, 'strerror', None) or 'not UTF-8'}"
        ) from None


def hidden(text: str, secrets: list[str]) -> str:
    """Return a text in which secrets are replaced by `***`."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    return text
