"""The errors of this floor."""

from collections.abc import Sequence

_MOST_NAMES = 20


class SnapshotError(Exception):
    """Raised for every fault of an input, a file or a cluster; pages and commands show its text as
    it is.
    """


class NoGroupsError(SnapshotError):
    """A cluster lists no groups."""


class NoGroupError(SnapshotError):
    """A cluster shows no group of this name; `seen_count`: None if that is not for everybody."""

    def __init__(self, cluster: str, group_id: str, seen_count: int | None = None):
        super().__init__(cluster, group_id, seen_count)
        self.cluster, self.group_id, self.seen_count = cluster, group_id, seen_count

    def __str__(self) -> str:
        text = f'cluster {self.cluster}: no group "{self.group_id}"'
        if self.seen_count is None:
            return text
        return f"{text} among the {self.seen_count:,} that this user may see"


class UnansweredError(SnapshotError):
    """A cluster cannot be reached, does not answer, or answers with an error."""


class PlaceError(SnapshotError):
    """A folder or a service of object storage refuses, or does not answer: where, and the cause in
    its words.
    """

    def __init__(self, where: str, cause: str):
        super().__init__(where, cause)
        self.where, self.cause = where, cause

    def __str__(self) -> str:
        return f"{self.where}: {self.cause}"


class DamageError(SnapshotError):
    """A file of a lake is missing, cut off or no Parquet."""


class GivenUpError(SnapshotError):
    """Another process took the run that writes a batch for dead, and has given up the batch."""


class NoGroupInRangeError(SnapshotError):
    """No snapshot of a range has the group; `names`: the groups that there are."""

    def __init__(self, lake: object, group_id: str, names: Sequence[str] = ()):
        more = [f"{len(names) - _MOST_NAMES:,} more"] * (len(names) > _MOST_NAMES)
        groups_there = f", found {', '.join([*names[:_MOST_NAMES], *more])}" if names else ""
        super().__init__(f"{lake} has no group {group_id!r} in this range{groups_there}")


class NoBatchError(SnapshotError):
    """The lake has no such batch, or no longer."""


class NoShareError(SnapshotError):
    """No share has this id: it never existed, has expired, or was deleted; nobody learns which."""


class ExpiredShareError(NoShareError):
    """A share has expired; only its owner learns that."""
