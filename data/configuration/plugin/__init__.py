"""Plug-ins: an assignor from a jar, in a JVM of its own, and which assignors there are with
them.
"""

from collections.abc import Callable, Mapping

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.configuration.settings import PluginSettings


def available(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return what makes each assignor, by name, in the order people see them.

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
