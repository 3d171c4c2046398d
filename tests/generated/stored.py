"""What tests read of a whole lake: a group's history, the last verdicts, every stored change."""

from datetime import datetime

import pyarrow as pa

from evenkeel.data.group.tables.verdicts import VerdictTables
from evenkeel.data.lake.history.change_store import HISTORY, chain
from evenkeel.data.lake.history.history import History, history_in
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import SLOTS, last_of, verdicts_in
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of


def read_history(
    lake: Place,
    group_id: str,
    cluster: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> History:
    """Read a group's snapshots of a cluster from `since` to `until`, both included, by default all
    that the lake has.
    """
    return history_in(lake, group_id, instants(lake, cluster, since, until, group_id), cluster)


def recent_verdicts(lake: Place, cluster: str, slots: int = SLOTS) -> VerdictTables:
    """Return GROUP_VERDICT and MEMBER_VERDICT of a cluster's last slots, empty without any."""
    return verdicts_in(lake, last_of(instants(lake, cluster), slots), cluster)


def changes(lake: Place, name: str, cluster: str) -> pa.Table:
    """Return every stored change of a cluster's groups or members, by time; empty without any."""
    links = chain(lake, name, slug_of(cluster))
    return pa.concat_tables([HISTORY[name].empty_table(), *(link.rows for link in links)]).sort_by(
        "taken_at"
    )
