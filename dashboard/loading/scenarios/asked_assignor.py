"""The assignor that a page asks about a group: of the chosen client and release, or a plug-in."""

from evenkeel.assignors.protocol import Assignor
from evenkeel.dashboard.loading.plugins import known
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.leaders.leader import client_of, led_by
from evenkeel.data.scenarios.run.result import with_settings


def asked_of(group: Opened, name: str) -> Assignor:
    """Return the assignor of a name."""
    made = known(configuration().plugins)[name]
    client = client_of(begun(group).own.observed.leader, group.client)
    return with_settings(led_by(client, {name: made})[name], group.settings)
