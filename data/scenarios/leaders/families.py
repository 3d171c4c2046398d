"""Families: which clients the members of a group use, where that shows."""

from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document.client_ids import client_of_default


def families(observed: ObservedGroup) -> tuple[str | None, ...]:
    """Return the client of each member, None where it does not show: few keep their library's client id; librdkafka sends an empty rack."""
    return tuple(
        "librdkafka" if observed.snapshot.rack_of(row) == "" else client_of_default(client_id or "")
        for row, client_id in enumerate(observed.client_id)
    )


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that may lead the group, the present leader first: every client that a member is known to use."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))
