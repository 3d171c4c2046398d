"""The errors of this floor."""

from collections.abc import Sequence

_MOST_NAMES = 20


class SnapshotError(Exception):
    """An error of an input, a file or a cluster. Pages and commands show its text unchanged."""


class NoGroupsError(SnapshotError):
    """A cluster lists no groups."""


class NoGroupError(SnapshotError):
    """A cluster has no such group.

    `seen_count`: number of groups that the user may see; if None, the message has no number.
    """

    def __init__(self, cluster: str, group_id: str, seen_count: int | None = None):
        super().__init__(cluster, group_id, seen_count)
        self.cluster, self.group_id, self.seen_count = cluster, group_id, seen_count

    def __str__(self) -> str:
        text = f'cluster {self.cluster}: no group "{self.group_id}"'
        if self.seen_count is None:
            return text
        return f"{text} among the {self.seen_count:,} that this user may see"


class UnansweredError(SnapshotError):
    """A cluster is not reachable, does not answer, or answers with an error."""


class PlaceError(SnapshotError):
    """A folder or an object store refuses a request or does not answer.

    `cause`: the message of the folder or the store.
    """

    def __init__(self, where: str, cause: str):
        super().__init__(where, cause)
        self.where, self.cause = where, cause

    def __str__(self) -> str:
        return f"{self.where}: {self.cause}"


class DamageError(SnapshotError):
    """A file of a lake is missing, truncated or not Parquet."""


class GivenUpError(SnapshotError):
    """This batch was abandoned: another process thought that the writing process was dead."""


class NoGroupInRangeError(SnapshotError):
    """No snapshot in the time range contains the group; `names`: groups in these snapshots."""

    def __init__(self, lake: object, group_id: str, names: Sequence[str] = ()):
        more = [f"{len(names) - _MOST_NAMES:,} more"] * (len(names) > _MOST_NAMES)
        groups_there = f", found {', '.join([*names[:_MOST_NAMES], *more])}" if names else ""
        super().__init__(f"{lake} has no group {group_id!r} in this range{groups_there}")


class NoBatchError(SnapshotError):
    """The lake has no such batch: it never existed, or was deleted."""


class NoShareError(SnapshotError):
    """No share has this id: it never existed, has expired or was deleted.

    The message does not say which, on purpose.
    """


class ExpiredShareError(NoShareError):
    """A share has expired. Only its owner sees this message."""
