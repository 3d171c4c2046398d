"""The base of all edits of a scenario.

To add an edit, add one file with one class to this folder. The class has the edit's arguments, and
`form`, `in_words`, `apply` and `resize`.
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
"""JSON's numbers are exact up to this value."""

Names = Mapping[str, str]
"""Short names by member id or process id."""

Values = dict[str, Any]

WIDTH = 26
"""Most characters of a name in a sentence."""


def require_short(key: str, value: Any, most: int) -> None:
    """Check the length of a text, of the texts in a list, or of the keys and values of an object.

    Raises
    ------
    ValueError
        Names the key, the length and the limit; msgspec adds the path.
    """
    if isinstance(value, str) and len(value) > most:
        raise ValueError(f"{key}: found {len(value):,} characters, expected at most {most:,}")
    if isinstance(value, Mapping):
        value = chain(value, value.values())
    if isinstance(value, Iterable) and not isinstance(value, str):
        for each in value:
            require_short(key, each, most)


class EditPlace(NamedTuple):
    """The place of an edit in its scenario: step number and edit number, both from 0."""

    step: int
    edit: int

    def refusal(self, key: str, reason: str) -> "RefusedEditError":
        """Return the error for one argument of the edit."""
        return RefusedEditError(self, f"{key}: {reason}")


class RefusedEditError(SnapshotError):
    """An edit that names a missing thing, or an effect that Kafka cannot have.

    `reason` begins with the argument's name.
    """

    def __init__(self, at: EditPlace, reason: str):
        super().__init__(at, reason)
        self.at, self.reason = at, reason

    def __str__(self) -> str:
        return f"steps[{self.at.step}].edits[{self.at.edit}].{self.reason}"


class Field(NamedTuple):
    """One field of a form.

    `kind`: the kind of input, such as `members` or `whole`; the dashboard has a widget for each
    kind. `value`: the initial value. `least`, `most`: limits of a number. `options`: values of a
    choice, with their labels.
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
"""Initial value of a field: its first choice."""

MEMBERS = Field("member_ids", "Members", "members")
TOPIC = Field("topic", "Topic", "topic")
SEED = Field(
    "seed",
    "Seed of the new ids",
    "whole",
    0,
    "In Kafka new ids are random, and they decide ties. Another seed makes other ids.",
)
RE2 = "An RE2 expression, as KIP-848 members use in subscriptions."


class Form(NamedTuple):
    """The form of an edit.

    `place`: its place in the menu; frequent edits are first. `made`: makes an edit's arguments from
    field values; its second parameter has short names of members or processes. `read`: makes field
    values from an edit's arguments. `is_live`: a field changes another field before the form is
    sent. `by_history`: replaces `fields` if the group has a history.
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
    """One change of a group or an application; an edit that is `off` has no effect."""

    form: ClassVar[Form]

    off: bool = False

    def __post_init__(self) -> None:
        for key in self.__struct_fields__:
            require_short(
                key, getattr(self, key), MOST_EXPRESSION if key.endswith("regex") else LONGEST_NAME
            )

    @property
    def op(self) -> str:
        """The edit's name in scenarios."""
        return str(self.__struct_config__.tag)

    def in_words(self, names: Names) -> str:
        """Return the edit as a sentence, such as `pay-b stops`."""
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
        """Change a size as `apply` changes the group.

        Return the name of the argument that makes the group larger, None if no argument does.
        """
        return None


class GroupEdit(Edit, frozen=True):
    """One change of a group: `apply` takes and returns an `ObservedGroup`."""

    causes_rebalance: ClassVar[bool] = True
    """Whether Kafka rebalances because of the edit. A step moves nothing if no edit of it causes a
    rebalance.
    """

    def resize(self, size: SizeOfGroup) -> str | None:
        return None

    def apply_later(
        self, group: ObservedGroup, at: EditPlace, before: ObservedGroup
    ) -> ObservedGroup | None:
        """Return the group at the start of a second rebalance in the same step, None if there is no
        second rebalance.

        `group`: the group after the first rebalance. `before`: the group before the edit.
        """
        return None

    def is_quiet(self, group: ObservedGroup) -> bool:
        """Return whether the edit causes no rebalance."""
        return not self.causes_rebalance

    def renamed(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        """Return new ids by former id, for members that return in the same rebalance."""
        return {}


_UUID_VERSION = 4

E = TypeVar("E", bound=Edit)


def edits_in(package: str, folders: Iterable[str], kind: type[E]) -> dict[str, type[E]]:
    """Return the edits in a package's files, by their `op`."""
    modules = [import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(folders)]
    edits: dict[str, type[E]] = {}
    for module in modules:
        for value in vars(module).values():
            is_own_class = isinstance(value, type) and value.__module__ == module.__name__
            if is_own_class and issubclass(value, kind) and value is not kind:
                edits[str(value.__struct_config__.tag)] = value
    return edits


def in_menu_order(edits: Mapping[str, type[E]]) -> dict[str, type[E]]:
    """Return edits in the order of menus."""
    return dict(sorted(edits.items(), key=lambda each: each[1].form.place))


def said(ids: Sequence[str], names: Names, most: int = 2, none: str = "nobody") -> tuple[str, str]:
    """Return the names of members or processes, at most `most`, and the ending of the verb that
    follows.
    """
    shown = [elided(names.get(each, each), WIDTH) for each in ids[: most + 1]]
    rest = [""] * (len(ids) - len(shown))
    return listed([*shown, *rest], most) if shown else none, "" if len(ids) > 1 else "s"


def new_uuid(seed: int, at: EditPlace, purpose: str) -> uuid.UUID:
    """Return the version 4 UUID of a new member, process or topic; the seed decides it."""
    for attempt in range(64):
        digest = hashlib.sha256(f"{seed}/{at.step}/{at.edit}/{purpose}/{attempt}".encode()).digest()
        made = uuid.UUID(bytes=digest[:16], version=_UUID_VERSION)
        # Like Uuid.randomUuid, which draws again if the text begins with a dash.
        if not printed(made).startswith("-"):
            break
    return made


def printed(made: uuid.UUID) -> str:
    """Return a UUID as Kafka prints it: base64url, 22 characters."""
    return base64.urlsafe_b64encode(made.bytes).decode().rstrip("=")


def require_members(
    group: ObservedGroup, member_ids: list[str], at: EditPlace, key: str = "member_ids"
) -> None:
    """Check that the group has these members, and that none is named twice.

    Raises
    ------
    SnapshotError
        Names the place of the first wrong member.
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
    """Return the row of a topic.

    Raises
    ------
    SnapshotError
        If the group has no such topic. The message names the place.
    """
    names = group.snapshot.topic_name
    row = names.index(name) if name in names else -1
    if row < 0 or not group.snapshot.topic_known[row]:
        raise at.refusal(key, f'no topic "{name}"')
    return row
