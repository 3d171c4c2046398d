"""SnapshotError: bad input, in one line that names the thing, the value, the expected and the place."""


class SnapshotError(Exception):
    """Raised for every fault of an input, a file or a cluster; pages and commands show its text as it is."""
