"""The steps that a person edits of an application, and the short text that stands for them in an address."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from evenkeel.data.scenarios.applications.application_scenario import ApplicationStep
from evenkeel.data.scenarios.scenario.draft import of_packed, packed
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS

_Steps = Annotated[list[ApplicationStep], msgspec.Meta(max_length=MOST_STEPS)]


def text_of_steps(steps: Sequence[ApplicationStep]) -> str:
    """Return the steps' JSON, deflated, as base64url."""
    return packed(msgspec.json.encode(list(steps)))


def steps_of_text(text: str) -> list[ApplicationStep]:
    """Read what `text_of_steps` wrote.

    Raises
    ------
    SnapshotError
        Where it is cut, changed, too large, or not a list of steps.
    """
    return of_packed(text, _Steps, "the steps of an application")
