"""The only cached values, bounded by bytes all together; those of an upload are keyed by its random batch id."""

from evenkeel.dashboard.loading.answer_facts import advice, facts, first_candidate, leader
from evenkeel.dashboard.loading.batches.moments import StoredLast, moments, stored_batches, time_of
from evenkeel.dashboard.loading.batches.uploads import MOST_LINES, Import, first_lines, imported, is_rebalancing
from evenkeel.dashboard.loading.changes import change, change_in_time, led_otherwise, upgrade
from evenkeel.dashboard.loading.clusters import (
    LIST_SECONDS,
    LiveList,
    can_be_read,
    cluster_names,
    cluster_of,
    groups_beside,
    live_list,
    live_snapshot,
    members_now,
    of_cluster,
    on_the_way,
    replayed,
    snapshot_of,
    takes_addresses,
)
from evenkeel.dashboard.loading.figures import figure
from evenkeel.dashboard.loading.plugins import assignor_names, assignor_of
from evenkeel.dashboard.loading.views import balance_then, view

__all__ = [
    "LIST_SECONDS",
    "MOST_LINES",
    "Import",
    "LiveList",
    "StoredLast",
    "advice",
    "assignor_names",
    "assignor_of",
    "balance_then",
    "change",
    "change_in_time",
    "can_be_read",
    "cluster_names",
    "cluster_of",
    "facts",
    "first_candidate",
    "figure",
    "first_lines",
    "groups_beside",
    "imported",
    "leader",
    "led_otherwise",
    "is_rebalancing",
    "live_list",
    "live_snapshot",
    "members_now",
    "moments",
    "of_cluster",
    "on_the_way",
    "replayed",
    "snapshot_of",
    "stored_batches",
    "takes_addresses",
    "time_of",
    "upgrade",
    "view",
]
