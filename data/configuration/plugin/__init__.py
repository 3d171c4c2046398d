"""Plug-ins: assignors from jars, each in its own JVM; and all assignors including plug-ins."""

from collections.abc import Callable, Mapping

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.configuration.settings import PluginSettings


def available(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return a function that makes each assignor, by name, in display order.

    Call this once, because each call starts new JVMs for plug-ins.
    """
    if not plugins:
        return dict(ASSIGNORS)
    from evenkeel.data.configuration.plugin.assignor import (
        PluginAssignor,  # imported only if there are plug-ins
    )

    return {
        **ASSIGNORS,
        **{name: PluginAssignor(name, settings) for name, settings in plugins.items()},
    }
