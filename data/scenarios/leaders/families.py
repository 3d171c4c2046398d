"""Families: which clients the members of a group use, where that shows."""

from itertools import chain

from evenkeel.assignors import CLIENTS
from evenkeel.data.columns.observed import ObservedGroup


def families(observed: ObservedGroup) -> tuple[str | None, ...]:
    """Return the client of each member, None where it does not show: few keep their library's client id; librdkafka sends an empty rack."""
    rack_of = observed.snapshot.rack_of
    return tuple(_family(client_id or "", rack_of(row)) for row, client_id in enumerate(observed.client_id))


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that may lead the group, the present leader first: every client that a member is known to use."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))


def _family(client_id: str, rack: str | None) -> str | None:
    by_rack = (name for name, client in CLIENTS.items() if client.sends_empty_rack) if rack == "" else ()
    by_id = (name for name, client in CLIENTS.items() if client.has_default_id(client_id))
    return next(chain(by_rack, by_id), None)
