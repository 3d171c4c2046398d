"""A scenario becomes a what-if of this session: its group is stored like an upload, its steps stand in the address."""

import msgspec

from evenkeel.assignors import JAVA
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.dashboard.widgets.opening import uploading
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.scenario.draft import Draft, Named, text_of, text_of_steps
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario, Settings
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


# A scenario of an application: its streams document is stored like an upload, its steps stand in the address of Streams.


STREAMS = "app_pages/streams.py"


def lead_to_application(scenario: ApplicationScenario, file: str) -> str:
    """Let Streams, to which the page must switch, open a scenario; return the batch of its document. `file`: what its file is called.

    Raises
    ------
    SnapshotError
        When the lake cannot be written.
    """
    batch = uploading.uploaded([(file, msgspec.json.encode(scenario.group))])
    wanted = scenario.settings.assignors or [None]
    address.lead_to(opened=batch, steps=text_of_steps(scenario.steps) if scenario.steps else None, assignor=wanted[0])
    return batch
