"""How long an open group takes to drain under each answer, with rates and capacities of its last snapshots."""

from functools import partial

from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.speeds import Speeds, speeds
from dashboard.loading.plugins import plugin_settings
from dashboard.view import View
from data.scenarios.drains import Drains, GroupDrain


def drain_times(view: View) -> dict[str, GroupDrain] | None:
    """Return the band of each row that has an answer, by name; None without two readings of the group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    found = speeds(view.opened)
    if found is None:
        return None
    key = (drain_times, view.opened, found.series.time[-1], view.waiting, plugin_settings())
    return ALL.get(key, partial(_drain_times, view, found))


def _drain_times(view: View, found: Speeds) -> dict[str, GroupDrain]:
    return Drains(view.comparison.group, *found).of_all((row.name, row.assignment) for row in view.comparison.rows)
