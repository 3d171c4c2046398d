"""Rates that a scenario leaves to the history of its group."""

from typing import TYPE_CHECKING

from evenkeel.data.commands.options.instants import chosen_cluster
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.history.advance_rates import with_rates
from evenkeel.data.scenarios.scenario.scenario import Scenario

if TYPE_CHECKING:
    from evenkeel.assignors.history.series import Series
    from evenkeel.data.lake.place import Place


def with_history(scenario: Scenario, lake: "Place", cluster: str | None = None) -> Scenario:
    """Return a scenario in which every `advance` has rates: missing ones come from the last snapshots up to the scenario's moment.

    Raises
    ------
    SnapshotError
        When the lake has no such snapshots, or they do not tell a rate.
    """
    return with_rates(scenario, lambda: _series(scenario, lake, cluster))


def _series(scenario: Scenario, lake: "Place", cluster: str | None) -> "Series":
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import instants
    from evenkeel.data.lake.history.recent import SLOTS, last_of

    group = scenario.group
    if group.group_id is None:
        raise SnapshotError("$.group.group_id: missing, expected the group whose history has the rates that a step of the scenario lacks")
    chosen = chosen_cluster(lake, cluster)
    found = last_of(instants(lake, chosen, until=group.taken_at, group_id=group.group_id), SLOTS)
    series = history_in(lake, group.group_id, found, chosen).series
    if not series.is_listed.any():
        until = f" up to {group.taken_at:%Y-%m-%dT%H:%M:%SZ}" if group.taken_at else ""
        raise SnapshotError(
            f'a step lacks rates, and {lake} has no snapshot of group "{group.group_id}"{until}: expected in_rate and capacity in the edit'
        )
    return series
