"""A scenario of a group that is open."""

from collections.abc import Sequence

import msgspec

from evenkeel.data.columns import document_of
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document import Document
from evenkeel.data.scenarios.scenario.scenario import FORMAT, Scenario, Settings, Step


def scenario_of(group: ObservedGroup, steps: Sequence[Step], settings: Settings, name: str = "") -> Scenario:
    """Return the scenario of the group, its steps and the settings of a page."""
    document = msgspec.convert(document_of(group), Document)
    return Scenario(FORMAT, document, name or None, settings, list(steps))
