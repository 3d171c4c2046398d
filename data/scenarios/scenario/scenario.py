"""Scenario: a group, settings and an ordered list of steps; what-if, shares, reports and the command line know nothing else.

Null equals a missing key, as in a group document.
"""

from typing import Annotated

import msgspec

from evenkeel.data.document import Document
from evenkeel.data.document.shape import Generation, LeaderClient, Shape
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.edit import Names

FORMAT = "evenkeel.scenario/1"

AS_LISTED = "as listed"
"""The name of step 0."""

NO_EDITS = "rebalance as it is"
"""What a step without edits says."""

MOST_STEPS = 200
Java = Annotated[int, msgspec.Meta(ge=8, le=99)]


class Settings(Shape, frozen=True):
    """`client`: whose code assigns a classic group, the group's leader where missing. `assignors`: by name, all that serve the group."""

    client: LeaderClient | None = None
    kafka_version: str | None = None
    jdk: Java | None = None
    max_generation: Generation | None = None
    assignors: list[str] | None = None


class Step(Shape, frozen=True):
    """What happens before one rebalance: its edits together, then the group rebalances until it rests."""

    name: str | None = None
    edits: list[AnyEdit] = []

    @property
    def edits_on(self) -> list[tuple[int, AnyEdit]]:
        """The edits that are not off, with their places."""
        return [(place, edit) for place, edit in enumerate(self.edits) if not edit.off]

    def title(self, names: Names) -> str:
        """Return the name, else what the edits say."""
        return self.name or ", ".join(edit.in_words(names) for _, edit in self.edits_on) or NO_EDITS


class Scenario(Shape, frozen=True):
    """One question about one group."""

    format: str
    group: Document
    name: str | None = None
    settings: Settings = Settings()
    steps: list[Step] = []

    @property
    def step_names(self) -> list[str]:
        """Names of the steps; one without a name is `step 1`."""
        return [step.name or f"step {number}" for number, step in enumerate(self.steps, 1)]
