"""All assignors by name, and the rows that the administrator's plug-ins are asked for."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from functools import partial

import numpy as np
import streamlit as st

from assignors.figures.comparison import Row, answered
from assignors.protocol import Assignor, serving
from data.columns.observed import ObservedGroup
from data.configuration import configuration
from data.configuration.plugins import PluginSettings
from data.plugin.available import available
from data.plugin.daemon_thread import in_daemon_thread

_WARM_SECONDS = 0.3
"""A plug-in whose JVM runs answers a small group in less: its row comes with the others."""


def assignor_names() -> list[str]:
    """Return the names of all assignors, in the order people see them."""
    return list(known(configuration().plugins))


def assignor_of(name: str) -> Assignor:
    """Return an assignor by its name."""
    return known(configuration().plugins)[name]()


def asked(observed: ObservedGroup, lag: np.ndarray, plugins: Mapping[str, PluginSettings]) -> dict[str, Future[Row]]:
    """Ask every plug-in that can serve the group, and return the answers to come by name."""
    assignors = known(plugins)
    answers = {
        name: in_daemon_thread(partial(answered, observed.snapshot, lag, observed.current, assignors[name]()))
        for name in serving(observed.group_type, assignors)
        if name in plugins
    }
    wait(answers.values(), timeout=_WARM_SECONDS)
    return answers


def plugin_settings() -> str:
    """Return the settings of all plug-ins as one text, for the keys of cached values: changed settings give other answers."""
    return repr(configuration().plugins)


# Not cache_data: it hands out copies, and a copy would start a JVM of its own.
@st.cache_resource(max_entries=1, show_spinner=False)
def known(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return what makes each assignor, by name; a plug-in keeps its JVM."""
    return available(plugins)
