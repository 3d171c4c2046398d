"""Which assignors there are: Evenkeel's own and the administrator's plug-ins."""

from collections.abc import Callable, Mapping
from functools import partial

from assignors import ASSIGNORS
from assignors.protocol import Assignor
from data.plugin.assignor import PluginAssignor
from data.plugin.settings import PluginSettings


def available(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return what makes each assignor, by name, in the order people see them. Call this once: a plug-in keeps one JVM for all that it makes."""
    return {**ASSIGNORS, **{name: partial(_itself, PluginAssignor(name, settings)) for name, settings in plugins.items()}}


def _itself(assignor: Assignor) -> Assignor:
    return assignor
