"""Facts about each answer that stand beside its figures."""

from assignors import ASSIGNORS
from assignors.explain.facts import Facts
from assignors.explain.first_choice import best
from assignors.figures.hot_partition import Hottest, hottest
from assignors.kafka.release import NEWEST
from assignors.protocol import shipped
from dashboard.loading.batches.stored_groups import require_stored
from dashboard.loading.cache.cache import kept
from dashboard.loading.history.drain_times import late
from dashboard.loading.plugins import plugin_settings
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.scenarios.answers import facts_by_row
from data.scenarios.leaders.assignor_in_use import in_use
from data.scenarios.leaders.leader import client_of


def facts(opened: Opened) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by name.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(opened.batch)
    return _facts(opened, plugin_settings())


@kept
def first_candidate(opened: Opened) -> str | None:
    """Return the best assignor that ships with Kafka for this type of group, None where none has an answer.

    One under which the group never drains, or clearly later than now, comes after all others.
    """
    shown = begun(opened).own
    facts = _facts(opened, plugin_settings())
    switches = {name: known.switch for name, known in facts.items()}
    reached = [row for row in shown.comparison.rows[1:] if not (row.name in facts and facts[row.name].later_error)]
    found = best(reached, shipped(shown.observed.group_type, ASSIGNORS), switches, in_use(shown.observed), late(shown))
    return found and found.name


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
def hottest_partition(opened: Opened) -> Hottest | None:
    """Return the partition with the most lag, of those that a member can get; None where none is known to lag."""
    comparison = begun(opened).own.comparison
    return hottest(comparison.group, comparison.lag)


@kept
def _facts(opened: Opened, _settings: str) -> dict[str, Facts]:
    found = begun(opened)
    return facts_by_row(found.own.observed, found.own.comparison.rows[1:], opened.settings) if found.facts is None else found.facts
