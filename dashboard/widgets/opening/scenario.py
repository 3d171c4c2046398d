"""A scenario becomes a what-if of this session: its group is stored like an upload, its steps stand in the address."""

from evenkeel.assignors import JAVA
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.scenario.draft import Draft, Named, text_of
from evenkeel.data.scenarios.scenario.scenario import Scenario, Settings
from evenkeel.data.scenarios.stored_groups import stored

WHAT_IF = "app_pages/whatif.py"


def lead_to(scenario: Scenario, file: str) -> str:
    """Let What-if, to which the page must switch, open a scenario; return the batch of its group. `file`: what the group's file is called.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    batch = stored(scenario.group, file, configuration().lake)
    draft = Draft([Named(scenario.name, scenario.steps)])
    address.lead_to(opened=batch, steps=text_of(draft) if scenario.steps else None, kafka=_chosen(scenario.settings))
    return batch


def _chosen(settings: Settings) -> str | None:
    """Return the client and release as the address says them."""
    return settings.client if settings.client not in (None, JAVA) else settings.kafka_version or (settings.client and NEWEST)
