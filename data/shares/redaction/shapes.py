"""Kinds of names, and the shapes of the JSON parts in which names occur.

The same shapes serve to find all names in a document and to replace them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.advance import OTHERS


class Kind(NamedTuple):
    """A kind of names.

    `name`: in the plural. `noun`: in the singular. `word`: the beginning of stand-ins.
    """

    name: str
    noun: str
    word: str


HOST = Kind("hosts", "host", "host")
CLIENT = Kind("client ids", "client id", "client")
MEMBER = Kind("members", "member", "member")
INSTANCE = Kind("instance ids", "instance id", "instance")
RACK = Kind("racks", "rack", "rack")
TOPIC = Kind("topics", "topic", "topic")
GROUP = Kind("group name", "group", "group")
REASON = Kind("client reasons", "client reason", "reason")
"""The reason that a client gives when it joins or leaves, as far as it is a user's text.

Reasons of Kafka's own clients are not redacted.
"""
WORD = Kind("other words", "word", "word")
"""A word in a place for words of Kafka or Evenkeel, but unknown to both.

Examples: the name of a private assignor, or the key of a client tag.
"""

_ALL = (HOST, CLIENT, MEMBER, INSTANCE, RACK, TOPIC, GROUP, REASON, WORD)
KINDS = tuple(kind.name for kind in _ALL)


def kinds_of(names: Iterable[str]) -> tuple[Kind, ...]:
    """Return the kinds with the given names, in the order of `KINDS`.

    Raises
    ------
    SnapshotError
        If a kind is unknown.
    """
    wanted = set(names)
    if unknown := sorted(wanted - set(KINDS)):
        raise SnapshotError(
            f'names to redact: found "{unknown[0]}", expected one of: {", ".join(KINDS)}'
        )
    return tuple(kind for kind in _ALL if kind.name in wanted)


# Shapes of JSON: each place has a kind, so one walk finds every name and another walk replaces it.


class Change(Protocol):
    """Changes names, texts, expressions and topic ids of a document."""

    def name(self, kind: Kind, name: str) -> str: ...

    def text(self, text: str, neutral: str) -> str: ...

    def expression(self, expression: str) -> str: ...

    def topic_id(self, topic_id: str) -> str | None: ...


Shape = Callable[[Any, Change, str], Any]
"""A function that gets a value, a change and the value's path, and returns the changed value.

Null remains null.
"""


def keep(value: Any, change: Change, path: str) -> Any:
    """Return a number unchanged, and a text as a stand-in, because the text may be private."""
    if isinstance(value, Mapping):
        return {change.name(WORD, key): keep(each, change, path) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [keep(each, change, path) for each in value]
    return change.name(WORD, value) if isinstance(value, str) and value else value


def expression(value: Any, change: Change, path: str) -> Any:
    """A regular expression over topic names."""
    return value and change.expression(value)


def topic_id(value: Any, change: Change, path: str) -> Any:
    """The topic id, which a cluster assigned."""
    return value and change.topic_id(value)


def anything(value: Any, change: Change, path: str) -> Any:
    """A part of unknown shape: each text in it may contain a name."""
    if isinstance(value, Mapping):
        return {change.text(key, "…"): anything(each, change, path) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [anything(each, change, path) for each in value]
    return change.text(value, "…") if isinstance(value, str) else value


@dataclass(frozen=True)
class Name:
    """A name of the kind `kind`; an empty text is not a name."""

    kind: Kind

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        return value and change.name(self.kind, value)


@dataclass(frozen=True)
class Word:
    """A word; a word for which `is_known` is False counts as private."""

    is_known: Callable[[str], bool]

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        return (
            value if isinstance(value, str) and self.is_known(value) else keep(value, change, path)
        )


@dataclass(frozen=True)
class MapShape:
    """An object: `key` is the shape of its keys, `value` the shape of its values."""

    key: Shape
    value: Shape

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        if not isinstance(value, Mapping):
            return keep(value, change, path)
        return {
            self.key(key, change, path): self.value(each, change, path)
            for key, each in value.items()
        }


@dataclass(frozen=True)
class Text:
    """A text by a person or by Evenkeel; `neutral` replaces it if it consists only of names."""

    neutral: str

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        return value and change.text(value, self.neutral)


@dataclass(frozen=True)
class Each:
    """A list whose items have the shape `shape`. In any other value, texts get stand-ins."""

    shape: Shape

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        if not isinstance(value, list | tuple):
            return keep(value, change, path)
        return [self.shape(each, change, f"{path}[{place}]") for place, each in enumerate(value)]


@dataclass(frozen=True)
class ByName:
    """An object whose keys are names of the kind `kind`."""

    kind: Kind
    shape: Shape

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        if value is None:
            return None
        return {
            key if key == OTHERS else change.name(self.kind, key): self.shape(each, change, path)
            for key, each in value.items()
        }


@dataclass(frozen=True)
class Fields:
    """An object; `table`: the shape of each key.

    `others`: the shape of keys that are not in the table; None if these keys are refused.
    """

    table: Mapping[str, Shape]
    others: Shape | None = None

    def __call__(self, value: Any, change: Change, path: str) -> Any:
        if not isinstance(value, Mapping):
            return keep(value, change, path)
        return {
            key: self._shape(key, path)(each, change, f"{path}.{key}")
            for key, each in value.items()
        }

    def _shape(self, key: str, path: str) -> Shape:
        shape = self.table.get(key, self.others)
        if shape is None:
            raise SnapshotError(f"{path}.{key}: it may contain a name, so it cannot be redacted")
        return shape
