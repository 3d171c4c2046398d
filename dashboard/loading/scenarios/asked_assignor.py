"""The assignor that a page asks about a group: of the chosen client and release, or a plug-in."""

from assignors.protocol import Assignor
from dashboard.loading.plugins import known
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.configuration import configuration
from data.scenarios.leaders.leader import client_of, led_by
from data.scenarios.run.result import with_settings


def asked_of(group: Opened, name: str) -> Assignor:
    """Return the assignor of a name."""
    made = known(configuration().plugins)[name]
    client = client_of(begun(group).own.observed.leader, group.client)
    return with_settings(led_by(client, {name: made})[name], group.settings)
