"""Plug-ins: assignors from jars, each in its own JVM; and the list of all assignors."""

from collections.abc import Callable, Mapping

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.configuration.settings import PluginSettings


def available(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return all assignors by name, in display order; each value is a function without arguments.

    Call `available` once, because every call starts new JVMs for the plug-ins.
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
