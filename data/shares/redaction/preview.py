"""The preview: every name that leaves, what stands for it, and where it can be read all the same."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evenkeel.data.shares.redaction.kinds import HOST, KINDS, Kind, kinds_of
from evenkeel.data.shares.redaction.names import found_in
from evenkeel.data.shares.redaction.redaction import StandIns
from evenkeel.data.shares.redaction.stand_ins import SHORTEST, stand_ins

TEXT, EXPRESSION = "text", "regular expression"
"""Kinds of rows beside the kinds of names."""


class Row(NamedTuple):
    """One name. `stand_in`: None where it leaves as it is. `readable_in`: kinds that leave as they are and hold the name all the same."""

    kind: str
    name: str
    stand_in: str | None
    readable_in: tuple[str, ...] = ()


def preview(scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]) -> list[Row]:
    """Return a row for each name, text and expression, in the order of the kinds.

    Raises
    ------
    SnapshotError
        For a kind that there is not, and a key of the scenario that is unknown.
    """
    found, hidden = found_in(scenario, result), kinds_of(kinds)
    change = StandIns(stand_ins({kind: sorted(found.names[kind]) for kind in hidden}))
    shown = {kind: "\n".join(found.names[kind]).casefold() for kind in kinds_of(KINDS) if kind not in hidden}
    rows = [_row(kind, name, change, shown) for kind in kinds_of(KINDS) for name in sorted(found.names[kind])]
    others = [(EXPRESSION, each, change.expression(each)) for each in sorted(found.expressions)]
    others += [(TEXT, each, change.text(each, neutral)) for each, neutral in found.texts.items()]
    return rows + [Row(kind, before, None if before == after else after) for kind, before, after in others]


def _row(kind: Kind, name: str, change: StandIns, shown: Mapping[Kind, str]) -> Row:
    if kind in shown:
        return Row(kind.one, name, None)
    return Row(kind.one, name, change.of_kind[kind][name], _readable(kind, name, shown))


def _readable(kind: Kind, name: str, shown: Mapping[Kind, str]) -> tuple[str, ...]:
    """Name the kinds that hold a name; a member id often begins with the client id, and may hold the host."""
    part = (name.removeprefix("/") if kind == HOST else name).casefold()
    return tuple(other.name for other, names in shown.items() if len(part) >= SHORTEST and part in names)
