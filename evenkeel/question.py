"""A scenario of a group or application: its document and its answers."""

from typing import Any

import msgspec

from evenkeel.data.commands.text import printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.scenario.scenario import (
    ApplicationScenario,
    Scenario,
    content_hash,
)
from evenkeel.data.whatif.answer import replay_lines


class Question:
    """A scenario: a group or application, settings and steps. The start page and `evenkeel compare`
    open the text of `to_json()`.
    """

    def __init__(self, scenario: Scenario | ApplicationScenario):
        self._scenario = scenario

    @property
    def content_hash(self) -> str:
        """SHA-256 of the group, settings and steps, without the names of the scenario and its
        steps.
        """
        return content_hash(self._scenario)

    def to_json(self) -> str:
        """Return the document `evenkeel.scenario/1` as JSON."""
        return msgspec.json.encode(self._scenario).decode()

    def to_dict(self) -> dict[str, Any]:
        """Return the document `evenkeel.scenario/1` as a dictionary."""
        return msgspec.to_builtins(self._scenario)

    def replay(self, *assignors: str) -> list[dict[str, Any]]:
        """Return the lines of `evenkeel replay`: a line with the hashes, then a line for each
        answer of an assignor to a step.
        """
        settings = configuration()
        return replay_lines(self._scenario, names_or_none(assignors), settings, settings.lake)

    def __repr__(self) -> str:
        return f"<scenario {self.content_hash[:12]}, {len(self._scenario.steps)} steps>"


def names_or_none(assignors: tuple) -> list[str] | None:
    """Return the names of assignors as a list; None, for all assignors, if no name is given."""
    stranger = next((name for name in assignors if not isinstance(name, str)), None)
    if stranger is not None or None in assignors:
        raise SnapshotError(
            f"assignor: found {type(stranger).__name__}, expected the name of an assignor"
        )
    return list(assignors) or None


def with_edit(steps: tuple, edit: Any, empty: Any) -> tuple:
    """Return the steps with `edit` added to the last step. `empty`: the step to use if `steps` is
    empty.
    """
    last = steps[-1] if steps else empty
    return (*steps[:-1], msgspec.structs.replace(last, edits=[*last.edits, edit]))


def shown(noun: str, title: str, steps: list[str]) -> str:
    """Return a line that describes a group or application and its steps."""
    return printable(f"<{noun} {'; then '.join([title, *steps])}>")
