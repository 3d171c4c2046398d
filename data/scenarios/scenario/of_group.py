"""A scenario of a group that is open."""

from collections.abc import Sequence

import msgspec

from data.columns import document_of
from data.columns.observed import ObservedGroup
from data.document import Document
from data.scenarios.scenario.scenario import FORMAT, Scenario, Settings, Step


def scenario_of(group: ObservedGroup, steps: Sequence[Step], settings: Settings, name: str = "") -> Scenario:
    """Return the scenario of the group, its steps and the settings of a page."""
    document = msgspec.convert(document_of(group), Document)
    return Scenario(FORMAT, document, name or None, settings, list(steps))
