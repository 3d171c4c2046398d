"""The errors of this floor."""


class SnapshotError(Exception):
    """Raised for every fault of an input, a file or a cluster; pages and commands show its text as it is."""


class NoGroupsError(SnapshotError):
    """A cluster lists no groups."""


class UnansweredError(SnapshotError):
    """Raised where a cluster cannot be reached, does not answer, or answers a question with an error."""


class NoBatchError(SnapshotError):
    """The lake has no such batch, or no longer."""


class NoShareError(SnapshotError):
    """No share has this id: it never existed, has expired, or was deleted; nobody is told which."""


class ExpiredShareError(NoShareError):
    """A share has expired; only whoever made it is told."""
