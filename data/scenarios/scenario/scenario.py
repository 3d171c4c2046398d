"""Scenario: a group or application, settings and an ordered list of steps; pages, shares, reports and commands know nothing else.

Null equals a missing key, as in a group document.
"""

from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

import msgspec

from evenkeel.data.columns import document_of
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document import Application, Document
from evenkeel.data.document.shape import Generation, Shape
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import Edit, Names

FORMAT = "evenkeel.scenario/1"

AS_LISTED = "as listed"
"""The name of step 0."""

NO_EDITS = "rebalance as it is"
"""What a step without edits says."""

MOST_STEPS = 200
Java = Annotated[int, msgspec.Meta(ge=8, le=99)]
E = TypeVar("E", bound=Edit)


class Settings(Shape, frozen=True):
    """`client`: whose code assigns a classic group, a key of `CLIENTS`; the group's leader where missing.

    `assignors`: by name, all that serve the group.
    """

    client: str | None = None
    kafka_version: str | None = None
    jdk: Java | None = None
    max_generation: Generation | None = None
    assignors: list[str] | None = None


class ApplicationSettings(Shape, frozen=True):
    """`assignors`: by name, all that serve the application's type where missing. Kafka's own settings stand in the streams document."""

    jdk: Java | None = None
    assignors: list[str] | None = None


class Step(Shape, Generic[E], frozen=True):
    """What happens before one rebalance: its edits together, then the group rebalances until it rests."""

    name: str | None = None
    edits: list[E] = []

    @property
    def edits_on(self) -> list[tuple[int, E]]:
        """The edits that are not off, with their places."""
        return [(place, edit) for place, edit in enumerate(self.edits) if not edit.off]

    def title(self, names: Names) -> str:
        """Return the name, else what the edits say."""
        return self.name or ", ".join(edit.in_words(names) for _, edit in self.edits_on) or NO_EDITS


class Question(Shape, frozen=True):
    """What a scenario of a group and one of an application have in common."""

    @property
    def step_names(self) -> list[str]:
        """Names of the steps; one without a name is `step 1`."""
        return [step.name or f"step {number}" for number, step in enumerate(self.steps, 1)]


class Scenario(Question, frozen=True):
    """One question about one group."""

    format: str
    group: Document
    name: str | None = None
    settings: Settings = Settings()
    steps: list[Step[AnyEdit]] = []


class ApplicationScenario(Question, frozen=True):
    """One question about one application: its `group` is a streams document."""

    format: str
    group: Application
    name: str | None = None
    settings: ApplicationSettings = ApplicationSettings()
    steps: list[Step[AnyApplicationEdit]] = []


def scenario_of(group: ObservedGroup, steps: Sequence[Step], settings: Settings, name: str = "") -> Scenario:
    """Return the scenario of a group that is open, its steps and the settings of a page."""
    document = msgspec.convert(document_of(group), Document)
    return Scenario(FORMAT, document, name or None, settings, list(steps))
