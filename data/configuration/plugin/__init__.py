"""Plug-ins: an assignor from a jar, in its own JVM, and all assignors including plug-ins."""

from collections.abc import Callable, Mapping

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.configuration.settings import PluginSettings


def available(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return a maker for each assignor, by name, in display order.

    Call this once: a plug-in keeps one JVM for all assignors that it makes.
    """
    if not plugins:
        return dict(ASSIGNORS)
    from evenkeel.data.configuration.plugin.assignor import (
        PluginAssignor,  # what runs plug-ins is imported only where there is one
    )

    return {
        **ASSIGNORS,
        **{name: PluginAssignor(name, settings) for name, settings in plugins.items()},
    }
