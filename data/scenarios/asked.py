"""Makes an edit from a program's arguments: `asked_edit(AddMembers, {"count": 2}, who)`.

An argument may name a member or process by its id, or by its name on pages. The arguments are the
fields of the edit's class, so a new edit needs no change here.
"""

import inspect
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import msgspec
import numpy as np

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS
from evenkeel.data.scenarios.size import SizeOfApplication, SizeOfGroup, require_steps
from evenkeel.data.text.formats import listed
from evenkeel.data.text.names import member_labels, short_labels

_MANY = ("member_ids", "process_ids")
"""Fields that accept any number of names. Such a field is the edit's first field."""

_NAMED = (*_MANY, "member_id", "like")
_MODELS = ("like", "subscribed", "subscribed_regex")
"""Fields that describe a new member.

If none of these fields is given, and all members have the same subscription, the new member gets
the data of the first member.
"""

_OFF = "off"


class Who(NamedTuple):
    """The members or processes that an edit may name.

    `ids`: all ids. `by_name`: ids by client id, instance id or short name. `noun`: `member` or
    `process`. `like`: id of the member from which a new member is copied; None if the caller must
    choose.
    """

    ids: frozenset[str]
    by_name: Mapping[str, Sequence[str]]
    noun: str
    like: str | None = None


def members_of(group: ObservedGroup) -> Who:
    """Return the members of the group, by id, client id, instance id and short name."""
    ids = group.snapshot.member_id
    names = (
        group.client_id,
        group.snapshot.instance_id,
        member_labels(ids, group.client_id),
        short_labels(ids, group.client_id),
    )
    is_alike = len(ids) > 0 and np.unique(group.snapshot.subscription).size == 1
    return Who(
        frozenset(ids),
        _by_name(zip(some, ids, strict=True) for some in names),
        "member",
        ids[0] if is_alike else None,
    )


def processes_of(document: Application) -> Who:
    """Return the processes of the application, by id and client id."""
    processes = document.processes or []
    named = ((process.client_id, process.process_id) for process in processes)
    return Who(frozenset(process.process_id for process in processes), _by_name([named]), "process")


def _by_name(tables: Iterable[Iterable[tuple[str | None, str]]]) -> dict[str, list[str]]:
    by_name: dict[str, dict[str, None]] = {}
    for table in tables:
        for name, each in table:
            if name:
                by_name.setdefault(name, {})[each] = None
    return {name: list(ids) for name, ids in by_name.items()}


def signature_of(edit: type[msgspec.Struct]) -> inspect.Signature:
    """Return the signature of an edit's method.

    If the first field is a list of member or process ids, these ids are the positional arguments,
    and all other arguments are keyword-only. Else arguments may be positional, in the order of the
    fields.
    """
    fields = [field for field in msgspec.structs.fields(edit) if field.name != _OFF]
    hints = typing.get_type_hints(edit)
    takes_many = bool(fields) and fields[0].name in _MANY
    kind = inspect.Parameter.KEYWORD_ONLY if takes_many else inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = (
        [inspect.Parameter(fields[0].name, inspect.Parameter.VAR_POSITIONAL, annotation=str)]
        if takes_many
        else []
    )
    parameters += [
        inspect.Parameter(
            field.name, kind, default=_default(field), annotation=_shown(hints[field.name])
        )
        for field in fields[len(parameters) :]
    ]
    # In Python, arguments without a default come first.
    return inspect.Signature(
        sorted(
            parameters,
            key=lambda parameter: (
                parameter.kind,
                parameter.default is not inspect.Parameter.empty,
            ),
        )
    )


def _default(field: Any) -> Any:
    return field.default if field.default is not msgspec.NODEFAULT else inspect.Parameter.empty


def _shown(hint: Any) -> Any:
    """Return a type as the signature shows it; `dict` for a class of the document."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return dict[str, Any]
    if typing.get_origin(hint) in (typing.Union, type(int | str)):
        return reduce(or_, map(_shown, typing.get_args(hint)))
    if typing.get_origin(hint) in (list, dict):
        return typing.get_origin(hint)[tuple(map(_shown, typing.get_args(hint)))]
    return hint


def description_of(edit: type[msgspec.Struct]) -> str:
    """Return the description of an edit, from the docstrings of the edit's file and class."""
    paragraph = (inspect.getdoc(inspect.getmodule(edit)) or "").partition("\n\n")[0]
    first = " ".join(paragraph.split()).partition(": ")[2]
    return f"{first[:1].upper()}{first[1:]}\n\n{inspect.getdoc(edit)}"


def asked_edit(edit: type[msgspec.Struct], values: Mapping[str, Any], who: Who) -> Any:
    """Return the edit with the arguments `values`.

    Raises
    ------
    SnapshotError
        If a value has the wrong type, or if a given name belongs to several members.
    """
    op = edit.__struct_config__.tag
    given = {name: plain(value) for name, value in values.items()}
    given |= {name: _several(given[name], f"{op}: {name}") for name in _MANY if name in given}
    given = {
        name: _ids(value, who, f"{op}: {name}") if name in _NAMED else value
        for name, value in given.items()
    }
    if "like" in edit.__struct_fields__ and all(given.get(name) is None for name in _MODELS):
        given["like"] = who.like
    return converted({"op": op, **given}, edit, str(op))


def plain(value: Any) -> Any:
    """Return a value of JSON's types; arrays, frames and other collections become lists."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {plain(key): plain(each) for key, each in value.items()}
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    return [plain(each) for each in value]


def converted(values: Any, shape: Any, subject: str) -> Any:
    """Return `values` as an object of the class `shape`.

    Raises
    ------
    SnapshotError
        If the values have another type; the message names the expected type.
    """
    try:
        # Encode first: a text that JSON cannot write would otherwise fail only when the scenario is
        # saved.
        msgspec.json.encode(values)
        return msgspec.convert(values, shape)
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError, OverflowError) as error:
        complaint, _, place = str(error).partition(" - at `$")
        path = place.removeprefix(".").removesuffix("`")
        head = f"{subject}: {path}" if path else subject
        raise SnapshotError(f"{head}: {complaint[:1].lower()}{complaint[1:]}") from None


def _several(names: list, subject: str) -> list:
    ids = [each for name in names for each in (name if isinstance(name, list) else [name])]
    if not ids:
        raise SnapshotError(f"{subject}: none is named, expected at least one")
    return ids


def _ids(value: Any, who: Who, subject: str) -> Any:
    if isinstance(value, list):
        return [_ids(each, who, subject) for each in value]
    if not isinstance(value, str) or value in who.ids:
        return value
    ids = who.by_name.get(value, [value])
    if len(ids) > 1:
        raise SnapshotError(
            f'{subject}: "{value}" is the name of {len(ids):,} {who.noun}s, expected one id of'
            f" {listed(ids)}"
        )
    return ids[0]


def members_after(group: ObservedGroup, edit: AnyEdit, at: EditPlace) -> ObservedGroup:
    """Return the group after an edit: its members and topics, which no assignor changes.

    Owners depend on the assignor, and are not computed. An `advance` without rates changes nothing.

    Raises
    ------
    SnapshotError
        If the edit names a missing thing. The message names the place of the edit.
    """
    if getattr(edit, "lacks_rates", False):
        return group
    after = edit.apply(group, at)
    return edit.apply_later(after, at, group) or after


def require_steps_asked(
    budget: Budget,
    subject_document: ObservedGroup | Application,
    steps: Sequence,
    assignor_count: int,
) -> None:
    """Refuse too many steps, or steps that cost more than the budget; raises as `require_steps`."""
    if len(steps) > MOST_STEPS:
        raise SnapshotError(f"$.steps: found {len(steps):,} steps, expected at most {MOST_STEPS:,}")
    size = (
        SizeOfApplication(subject_document)
        if isinstance(subject_document, Application)
        else SizeOfGroup.of_observed(subject_document)
    )
    require_steps(budget, size, steps, assignor_count)
