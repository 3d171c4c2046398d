"""Names: which of each kind a scenario and its result have."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from evenkeel.data.shares.redaction.fields import changed
from evenkeel.data.shares.redaction.kinds import Kind


class Found:
    """A change that changes nothing and remembers what it sees: `names` by kind, `expressions`, `texts` with what is neutral there."""

    def __init__(self) -> None:
        self.names: dict[Kind, set[str]] = defaultdict(set)
        self.expressions: set[str] = set()
        self.texts: dict[str, str] = {}

    def name(self, kind: Kind, name: str) -> str:
        """Remember a name."""
        self.names[kind].add(name)
        return name

    def text(self, text: str, neutral: str) -> str:
        """Remember a text."""
        self.texts.setdefault(text, neutral)
        return text

    def expression(self, expression: str) -> str:
        """Remember an expression."""
        self.expressions.add(expression)
        return expression

    def topic_id(self, topic_id: str) -> str:
        """Ids are no names."""
        return topic_id


def found_in(scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]]) -> Found:
    """Return every name of a scenario and its result.

    Raises
    ------
    SnapshotError
        For a key of the scenario that is unknown.
    """
    found = Found()
    changed(scenario, result, found)
    return found
