"""All assignors by name, and the answers of the administrator's plug-ins."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from functools import partial
from time import monotonic

import numpy as np
import streamlit as st

from evenkeel.assignors.compare.comparison import Row, answered
from evenkeel.assignors.protocol import Assignor, serving
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.plugin import available
from evenkeel.data.configuration.plugin.host import KilledError
from evenkeel.data.configuration.settings import PluginSettings
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.threads import in_daemon_thread

_WARM_SECONDS = 0.3
"""A running plug-in answers a small group within this time, so its row is drawn with the other
rows.
"""

_SAID_SECONDS = 5.0
"""Seconds for which a page reports a killed JVM. A later view calls the plug-in again."""


def assignor_names() -> list[str]:
    """Return the names of all assignors, in display order."""
    return list(known(configuration().plugins))


def assignor_of(name: str) -> Assignor:
    """Return an assignor by its name."""
    return known(configuration().plugins)[name]()


def asked(
    observed: ObservedGroup, lag: np.ndarray, plugins: Mapping[str, PluginSettings]
) -> dict[str, Future[Row]]:
    """Call all plug-ins that support the group's type. Return each plug-in's future answer, by
    assignor name.
    """
    return _asked(
        observed,
        lag,
        plugins,
        [name for name in serving(observed.group_type, known(plugins)) if name in plugins],
    )


def ask_killed(
    observed: ObservedGroup,
    lag: np.ndarray,
    plugins: Mapping[str, PluginSettings],
    answers: dict[str, Future[Row]],
) -> None:
    """Call plug-ins again whose JVM was killed some time ago. Without this, the cache would keep
    the failure for an hour.
    """
    if names := [
        name
        for name, answer in answers.items()
        if answer.done() and _is_over(answer.result().error)
    ]:
        answers |= _asked(observed, lag, plugins, names)


def _is_over(error: Exception | None) -> bool:
    return isinstance(error, KilledError) and monotonic() - error.at > _SAID_SECONDS


def _asked(
    observed: ObservedGroup,
    lag: np.ndarray,
    plugins: Mapping[str, PluginSettings],
    names: list[str],
) -> dict[str, Future[Row]]:
    assignors = known(plugins)
    answers = {
        name: in_daemon_thread(
            partial(answered, observed.snapshot, lag, observed.current, assignors[name]())
        )
        for name in names
    }
    wait(answers.values(), timeout=_WARM_SECONDS)
    return answers


def plugin_settings() -> str:
    """Return the settings of all plug-ins as one text, for cache keys: if the settings change, the
    answers may change.
    """
    return repr(configuration().plugins)


# Not cache_data: it returns copies, and each copy would start its own JVM.
@st.cache_resource(max_entries=1, show_spinner=False)
def known(plugins: Mapping[str, PluginSettings]) -> dict[str, Callable[[], Assignor]]:
    """Return, by assignor name, a function that makes the assignor. The JVM of a plug-in keeps
    running between answers.
    """
    return available(plugins)
