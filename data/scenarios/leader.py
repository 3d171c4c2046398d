"""Whose code really assigns a group."""

from data.columns.observed import ObservedGroup

JAVA = "java"


def other_leader(observed: ObservedGroup) -> str | None:
    """Return the client that leads, None for Java, for an unknown leader, and for groups that a broker assigns."""
    leader = observed.leader
    return leader.client if leader and leader.client != JAVA and observed.group_type in (None, "classic") else None
