"""The groups of a live cluster that a caller names."""

from collections.abc import Sequence

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.wire.raw_groups import Listed


def chosen_groups(connection: Connection, wanted: Sequence[str]) -> list[Listed]:
    """Return the named groups in the order named, or all.

    Raises
    ------
    SnapshotError
        When a named group is not among those that can be seen, or none can be seen at all.
    """
    seen = {one.group_id: one for one in connection.ask(connection.raw.listed)}
    if not seen:
        raise SnapshotError(none_visible(connection.profile.name))
    missing = [group_id for group_id in wanted if group_id not in seen]
    if missing:
        raise SnapshotError(f'cluster {connection.profile.name}: no group "{missing[0]}" among the {len(seen):,} that this user may see')
    return [seen[group_id] for group_id in dict.fromkeys(wanted)] if wanted else list(seen.values())


def none_visible(cluster: str) -> str:
    """Return what an empty list means: Kafka silently leaves out groups that a user may not see."""
    return (
        f"cluster {cluster}: no group is visible to this user: the cluster has no groups, the right DESCRIBE on the cluster or on groups "
        "is missing, or the brokers have just started and have not loaded them yet"
    )


def left_out(connection: Connection) -> str | None:
    """Return what a list without the right DESCRIBE on the cluster means; null with it."""
    if connection.sees_all_groups:
        return None
    name = connection.profile.name
    return f"cluster {name}: groups that this user may not describe are left out, because the right DESCRIBE on the cluster is missing"
