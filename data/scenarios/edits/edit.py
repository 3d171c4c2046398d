"""The base of all edits of a scenario.

A new edit is one file in this folder, with one class. The class contains the edit's arguments,
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
    """Check that no text in `value` is longer than `most` characters.

    `value`: a text, a list, or an object. Keys of objects are checked too.

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
    """The place of an edit in its scenario: index of the step, index of the edit in the step."""

    step: int
    edit: int

    def refusal(self, key: str, reason: str) -> "RefusedEditError":
        """Return the error that refuses the argument `key` of the edit."""
        return RefusedEditError(self, f"{key}: {reason}")


class RefusedEditError(SnapshotError):
    """An edit is refused: it names a missing thing, or it has an effect that is impossible in
    Kafka.

    `reason` begins with the argument's name.
    """

    def __init__(self, at: EditPlace, reason: str):
        super().__init__(at, reason)
        self.at, self.reason = at, reason

    def __str__(self) -> str:
        return f"steps[{self.at.step}].edits[{self.at.edit}].{self.reason}"


class Field(NamedTuple):
    """One field of an edit's form.

    `kind`: kind of input, such as `members` or `whole`; the dashboard has a widget for each kind.
    `value`: initial value. `least`, `most`: limits of a number. `options`: (value, label) of each
    choice.
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
"""Initial value of a field that has choices: the first choice."""

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

    `place`: position in the menu; frequent edits come first. `made(values, names)`: returns the
    edit's arguments; `names` contains the short names of members or processes. `read`: returns the
    values for given arguments. `is_live`: a change of one field changes another field at once,
    before the form is sent. `by_history`: the fields if the group has a history; else `fields` are
    used.
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
    """One change of a group or an application; an edit whose `off` is True has no effect."""

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
            If the edit names a missing thing. The message names the place of the edit.
        """
        raise NotImplementedError

    def resize(self, size: Any) -> str | None:
        """Apply the edit to `size`, which contains only the size of the group or application.

        Return the name of the argument that makes the group larger, or None.
        """
        return None


class GroupEdit(Edit, frozen=True):
    """One change of a group: `apply` takes and returns an `ObservedGroup`."""

    causes_rebalance: ClassVar[bool] = True
    """Whether Kafka rebalances because of the edit.

    If no edit of a step causes a rebalance, no partition moves in the step.
    """

    def resize(self, size: SizeOfGroup) -> str | None:
        return None

    def apply_later(
        self, group: ObservedGroup, at: EditPlace, before: ObservedGroup
    ) -> ObservedGroup | None:
        """Return the group at the start of a second rebalance in the same step.

        None if the step has no second rebalance. `group`: the group after the first rebalance.
        `before`: the group before the edit.
        """
        return None

    def is_quiet(self, group: ObservedGroup) -> bool:
        """Return whether the edit causes no rebalance."""
        return not self.causes_rebalance

    def renamed(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        """Return the new id of each member that leaves and joins in one rebalance, by former id."""
        return {}


_UUID_VERSION = 4

E = TypeVar("E", bound=Edit)


def edits_in(package: str, folders: Iterable[str], kind: type[E]) -> dict[str, type[E]]:
    """Return the edits that a package's files contain, by their `op`."""
    modules = [import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(folders)]
    edits: dict[str, type[E]] = {}
    for module in modules:
        for value in vars(module).values():
            is_own_class = isinstance(value, type) and value.__module__ == module.__name__
            if is_own_class and issubclass(value, kind) and value is not kind:
                edits[str(value.__struct_config__.tag)] = value
    return edits


def in_menu_order(edits: Mapping[str, type[E]]) -> dict[str, type[E]]:
    """Return the edits in the order of the menu."""
    return dict(sorted(edits.items(), key=lambda each: each[1].form.place))


def said(ids: Sequence[str], names: Names, most: int = 2, none: str = "nobody") -> tuple[str, str]:
    """Return the names of members or processes, and the ending of the verb after them.

    At most `most` names are shown. The ending is `s` for one name, as in `pay-b stops`.
    """
    shown = [elided(names.get(each, each), WIDTH) for each in ids[: most + 1]]
    rest = [""] * (len(ids) - len(shown))
    return listed([*shown, *rest], most) if shown else none, "" if len(ids) > 1 else "s"


def new_uuid(seed: int, at: EditPlace, purpose: str) -> uuid.UUID:
    """Return the version 4 UUID of a new member, process or topic.

    The same seed, place and purpose give the same UUID.
    """
    for attempt in range(64):
        digest = hashlib.sha256(f"{seed}/{at.step}/{at.edit}/{purpose}/{attempt}".encode()).digest()
        made = uuid.UUID(bytes=digest[:16], version=_UUID_VERSION)
        # Like Uuid.randomUuid, which draws again if the text begins with a dash.
        if not printed(made).startswith("-"):
            break
    return made


def printed(made: uuid.UUID) -> str:
    """Return the UUID as Kafka prints it: 22 characters of base64url."""
    return base64.urlsafe_b64encode(made.bytes).decode().rstrip("=")


def require_members(
    group: ObservedGroup, member_ids: list[str], at: EditPlace, key: str = "member_ids"
) -> None:
    """Check that each member exists in the group and is named only once.

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
    """Return the index of a topic in the group.

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
