"""Facts about each answer that stand beside its figures, and the advice that follows from all of them."""

from evenkeel.assignors import JAVA
from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.kafka.release import NEWEST
from evenkeel.dashboard.loading.batches.stored_groups import require_stored
from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.loading.history.drain_times import known_times
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened, View
from evenkeel.data.scenarios.advice import Advised, advised
from evenkeel.data.scenarios.answers import facts_by_row
from evenkeel.data.scenarios.leaders import client_of


def facts(opened: Opened) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by name.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    return _facts(opened, plugin_settings())


def advice(view: View, gain: float) -> Advised:
    """Return whether a switch of the group is worth it; `gain`: the least part of 1 that is."""
    drains = known_times(view)
    client = view.client if view.observed.is_classic else JAVA
    return advised(view.observed, view.comparison, facts(view.opened), drains, client, gain)


@kept
def first_candidate(opened: Opened, gain: float) -> str | None:
    """Return the assignor that the advice on a group names, else the one in use, else the one with the least lag; None without an answer.

    Plug-ins that have not answered yet change nothing: the advice names none of them as the switch to make.
    """
    return advice(begun(opened).own, gain).first


def leader(opened: Opened) -> str:
    """Return the client that leads the group as the input says it, Java where it does not.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    return client_of(begun(opened._replace(client=None, kafka=NEWEST)).own.observed.leader)


@kept
def _facts(opened: Opened, _settings: str) -> dict[str, Facts]:
    found = begun(opened)
    return facts_by_row(found.own.observed, found.own.comparison.rows[1:], opened.settings) if found.facts is None else found.facts
