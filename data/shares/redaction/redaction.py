"""Redaction of a scenario and its result: chosen kinds of names become stand-ins, in names, keys, texts and expressions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.payload import Payload
from evenkeel.data.shares.redaction import expressions
from evenkeel.data.shares.redaction.fields import changed
from evenkeel.data.shares.redaction.kinds import TOPIC, Kind, kinds_of
from evenkeel.data.shares.redaction.names import found_in
from evenkeel.data.shares.redaction.stand_ins import stand_ins
from evenkeel.data.shares.redaction.texts import Texts

_LEFT_OUT = {"content_hash", "result_hash", "source"}
"""Of the head. Who guesses the names could confirm the guess with the hashes; the source may name a cluster."""


class StandIns:
    """A change to stand-ins, for the kinds that have them."""

    def __init__(self, of_kind: Mapping[Kind, Mapping[str, str]]):
        self.of_kind = of_kind
        # The order of kinds decides where two kinds have one name.
        self.texts = Texts({name: stand_in for some in of_kind.values() for name, stand_in in some.items()})

    def name(self, kind: Kind, name: str) -> str:
        """Return the stand-in of a name."""
        return self.of_kind[kind][name] if kind in self.of_kind else name

    def text(self, text: str, neutral: str) -> str:
        """Return a text without the names."""
        return self.texts.replaced(text, neutral)

    def expression(self, expression: str) -> str:
        """Return an expression over stand-ins."""
        if TOPIC in self.of_kind:
            return expressions.replaced(expression, self.of_kind[TOPIC])
        return self.text(expression, expressions.NOTHING)

    def topic_id(self, topic_id: str) -> str | None:
        """Return None where topics are hidden: the id leads to the topic in its cluster."""
        return None if TOPIC in self.of_kind else topic_id


def redacted(scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]) -> Payload:
    """Return a scenario and its result with stand-ins for these kinds of names.

    Raises
    ------
    SnapshotError
        For a kind that there is not, and a key of the scenario that is unknown.
    """
    hidden = changed(scenario, result, change_of(scenario, result, kinds))
    return hidden._replace(result=[line if "step" in line else line | dict.fromkeys(line.keys() & _LEFT_OUT) for line in hidden.result])


def check_author_texts(
    texts: Mapping[str, str], scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]
) -> None:
    """Refuse what an author has typed where it holds a name that is to be redacted; `texts` by field.

    Raises
    ------
    SnapshotError
        Names the field and the name.
    """
    hidden = change_of(scenario, result, kinds).texts
    for field, text in texts.items():
        if name := hidden.holds(text):
            raise SnapshotError(f'{field} holds "{name}", which leaves as a stand-in: write the {field} without it, or let the name leave')


def change_of(scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], kinds: Iterable[str]) -> StandIns:
    """Return the stand-ins of these kinds; the same for the same scenario and result."""
    found = found_in(scenario, result).names
    return StandIns(stand_ins({kind: sorted(found[kind]) for kind in kinds_of(kinds)}))
