"""The base of all edits of a scenario: an `op`, a form, a sentence, `apply`, and refusals with a
place.

One more edit is one more file in this folder, with one class: its arguments, `form`, `in_words`,
`apply` and `resize`.
"""

import base64
import hashlib
import pkgutil
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import LONGEST_NAME
from evenkeel.data.group.columns.matching import MOST_EXPRESSION
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import Shape
from evenkeel.data.scenarios.size import SizeOfGroup
from evenkeel.data.text.formats import listed
from evenkeel.data.text.names import elided

Seed = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""JSON's numbers are exact up to here."""

Names = Mapping[str, str]
"""Short names, by the id of a member or process."""

Values = dict[str, Any]

WIDTH = 26
"""Characters of a name in a sentence."""


def require_short(key: str, value: Any, most: int) -> None:
    """Check the length of a text, of the texts of a list, and of the keys and values of an object.

    Raises
    ------
    ValueError
        With the key, the actual and the allowed length; msgspec adds the path.
    """
    if isinstance(value, str) and len(value) > most:
        raise ValueError(f"{key}: found {len(value):,} characters, expected at most {most:,}")
    if isinstance(value, Mapping):
        value = chain(value, value.values())
    if isinstance(value, Iterable) and not isinstance(value, str):
        for each in value:
            require_short(key, each, most)


class EditPlace(NamedTuple):
    """The place of an edit in its scenario: step and edit count from 0."""

    step: int
    edit: int

    def refusal(self, key: str, reason: str) -> "RefusedEditError":
        """Return the error for one argument of the edit."""
        return RefusedEditError(self, f"{key}: {reason}")


class RefusedEditError(SnapshotError):
    """An edit names a missing thing, or asks for something that Kafka cannot do; `reason` begins
    with the argument.
    """

    def __init__(self, at: EditPlace, reason: str):
        super().__init__(at, reason)
        self.at, self.reason = at, reason

    def __str__(self) -> str:
        return f"steps[{self.at.step}].edits[{self.at.edit}].{self.reason}"


class Field(NamedTuple):
    """One field of a form.

    `kind`: the kind of input, such as `members` or `whole`; the dashboard has a widget for each.
    `value`: its first value. `least`, `most`: limits of a number. `options`: a choice's values,
    with their words.
    """

    key: str
    label: str
    kind: str
    value: Any = None
    help: str | None = None
    least: float = 0
    most: float = 2**53 - 1
    options: tuple[tuple[str, str], ...] = ()


FIRST = "first"
"""The value of a field that starts with its first choice."""

MEMBERS = Field("member_ids", "Members", "members")
TOPIC = Field("topic", "Topic", "topic")
SEED = Field(
    "seed",
    "Seed of the new ids",
    "whole",
    0,
    "New ids are random in real life and decide ties. Another seed draws other ids.",
)
RE2 = "An expression of RE2, as KIP-848 members subscribe with."


class Form(NamedTuple):
    """The form of an edit.

    `place`: in the menu, most asked first. `made`: makes edits' arguments from field values, with
    short names of members or processes; `read`: makes field values from an edit's arguments.
    `is_live`: one field changes another one before the form is sent. `by_history`: the fields that
    a history can fill.
    """

    place: int
    title: str
    icon: str
    fields: tuple[Field, ...]
    made: Callable[[Values, Names], list[Values]] = lambda values, names: [values]
    read: Callable[[Values], Values] = lambda given: given
    is_live: bool = False
    by_history: tuple[Field, ...] = ()


class Edit(Shape, frozen=True, tag_field="op"):
    """One change of a group or of an application. `off`: the edit is listed but has no effect."""

    form: ClassVar[Form]

    off: bool = False

    def __post_init__(self) -> None:
        for key in self.__struct_fields__:
            require_short(
                key, getattr(self, key), MOST_EXPRESSION if key.endswith("regex") else LONGEST_NAME
            )

    @property
    def op(self) -> str:
        """The name of the kind of edit."""
        return str(self.__struct_config__.tag)

    def in_words(self, names: Names) -> str:
        """Return the edit as a sentence: `pay-b stops`."""
        raise NotImplementedError

    def apply(self, before: Any, at: EditPlace) -> Any:
        """Return the group or application after the edit, before the rebalance.

        Raises
        ------
        SnapshotError
            If the edit names a missing thing, with its place.
        """
        raise NotImplementedError

    def resize(self, size: Any) -> str | None:
        """Change the size as `apply` changes the group; return the argument that makes it larger,
        None if no argument does.
        """
        return None


class GroupEdit(Edit, frozen=True):
    """One change of a group: `apply` takes and returns an `ObservedGroup`."""

    causes_rebalance: ClassVar[bool] = True
    """Whether Kafka rebalances because of it; a step all of whose edits cause none moves nothing.
    """

    def resize(self, size: SizeOfGroup) -> str | None:
        return None

    def apply_later(
        self, group: ObservedGroup, at: EditPlace, before: ObservedGroup
    ) -> ObservedGroup | None:
        """Return the group as it joins a second rebalance of the same step; None without a second
        rebalance.

        `group` is at rest after the first rebalance; `before`: the group before the edit.
        """
        return None

    def is_quiet(self, group: ObservedGroup) -> bool:
        """Return whether the edit causes no rebalance."""
        return not self.causes_rebalance

    def renamed(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        """Return former id to new id of members that come back in the same rebalance."""
        return {}


_UUID_VERSION = 4

E = TypeVar("E", bound=Edit)


def edits_in(package: str, folders: Iterable[str], kind: type[E]) -> dict[str, type[E]]:
    """Return the edits in a package's files, by their `op`."""
    modules = [import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(folders)]
    edits_of_all = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]
    return {
        str(each.__struct_config__.tag): each
        for each in edits_of_all
        if issubclass(each, kind) and each is not kind
    }


def in_menu_order(edits: Mapping[str, type[E]]) -> dict[str, type[E]]:
    """Return edits as menus list them."""
    return dict(sorted(edits.items(), key=lambda each: each[1].form.place))


def said(ids: Sequence[str], names: Names, most: int = 2, none: str = "nobody") -> tuple[str, str]:
    """Return the names of those meant, at most `most`, and the ending of the verb after them."""
    shown = [elided(names.get(each, each), WIDTH) for each in ids[: most + 1]]
    rest = [""] * (len(ids) - len(shown))
    return listed([*shown, *rest], most) if shown else none, "" if len(ids) > 1 else "s"


def new_uuid(seed: int, at: EditPlace, purpose: str) -> uuid.UUID:
    """Return the random version 4 UUID of a thing that an edit makes."""
    for attempt in range(64):
        digest = hashlib.sha256(f"{seed}/{at.step}/{at.edit}/{purpose}/{attempt}".encode()).digest()
        made = uuid.UUID(bytes=digest[:16], version=_UUID_VERSION)
        # Uuid.randomUuid draws again while the text would begin with a dash.
        if not printed(made).startswith("-"):
            break
    return made


def printed(made: uuid.UUID) -> str:
    """Return a UUID as Kafka prints it: base64url, 22 characters."""
    return base64.urlsafe_b64encode(made.bytes).decode().rstrip("=")


def require_members(
    group: ObservedGroup, member_ids: list[str], at: EditPlace, key: str = "member_ids"
) -> None:
    """Check that the group has these members, each named once.

    Raises
    ------
    SnapshotError
        With the place of the first missing member.
    """
    present, seen = set(group.snapshot.member_id), set()
    for number, member_id in enumerate(member_ids):
        path = key if key != "member_ids" else f"member_ids[{number}]"
        if member_id not in present:
            raise at.refusal(path, f'no member "{member_id}"')
        if member_id in seen:
            raise at.refusal(path, f'member "{member_id}" twice, expected once')
        seen.add(member_id)


def require_topic(group: ObservedGroup, name: str, at: EditPlace, key: str = "topic") -> int:
    """Return the row of a topic; SnapshotError with the place if there is none."""
    names = group.snapshot.topic_name
    row = names.index(name) if name in names else -1
    if row < 0 or not group.snapshot.topic_known[row]:
        raise at.refusal(key, f'no topic "{name}"')
    return row
