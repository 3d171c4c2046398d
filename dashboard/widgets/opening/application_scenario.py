"""A scenario of an application: its streams document is stored like an upload, its steps stand in the address of Streams."""

import msgspec

from evenkeel.dashboard.widgets.opening import uploading
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.scenarios.scenario.draft import text_of_steps
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario

STREAMS = "app_pages/streams.py"


def lead_to(scenario: ApplicationScenario, file: str) -> str:
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
