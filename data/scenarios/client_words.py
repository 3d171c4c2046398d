"""Texts about clients: their names, and the effect of a client that leads a group."""

from collections.abc import Sequence

from evenkeel.assignors import CLIENTS, JAVA
from evenkeel.data.group.document import Leader
from evenkeel.data.text.formats import listed

_OWN_CODE = "The leader's client assigns a classic group, with its own code."


def shown(client: str) -> str:
    """Return the client's name and the releases with the same answers: `librdkafka 2.6 to 2.16`.

    For Java no releases are named.
    """
    return f"{named(client)} {CLIENTS[client].releases}".rstrip()


def named(client: str) -> str:
    """Return the client's name without releases, such as `Java` or `librdkafka`."""
    return (client in CLIENTS and CLIENTS[client].label) or client


def answered_by(client: str | None, release: str | None) -> str:
    """Return the name of the code that gives the answers, such as `Kafka 4.3.1`.

    `client`: None for Java. `release`: Kafka's release, None if unknown.
    """
    return f"Kafka {release or ''}".rstrip() if client in (None, JAVA) else shown(client)


def answers_of(client: str) -> str:
    """Return a sentence that names the client whose code gives the shown answers."""
    return f"The answers follow the code of {shown(client)}, which assigns this group."


def mixed(clients: Sequence[str]) -> str:
    """Return two sentences about a group whose members use several clients.

    `clients`: the leader's client first.
    """
    return (
        f"The members use {listed(map(named, clients), len(clients))}: the code of the leader's"
        " client assigns. If the leader leaves, the next member leads, and its client assigns."
    )


def badge(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """Return a badge such as `led by librdkafka, likely` or `led by Java, assumed`.

    If members use several clients, ` · mixed` follows.
    """
    if chosen:
        return f"led by {named(chosen)}, chosen"
    is_mixed = " · mixed" if len(possible) > 1 else ""
    if leader is None:
        return f"led by {named(JAVA)}, assumed{is_mixed}"
    certainty = "" if leader.certain else ", likely"
    return f"led by {named(leader.client)}{certainty}{is_mixed}"


def meaning(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """Return the text that explains the badge.

    `possible`: clients that members may use. `chosen`: client that the user chose instead of the
    leader's client.
    """
    if chosen:
        given = (
            f"The input shows {named(leader.client)}"
            if leader
            else "The input does not show the leader's client"
        )
        return f"{_OWN_CODE} {named(chosen)} is chosen. {given}. {answers_of(chosen)}"
    return f"{_meaning(leader)} {mixed(possible)}" if len(possible) > 1 else _meaning(leader)


def _meaning(leader: Leader | None) -> str:
    if leader is None:
        return (
            f"{_OWN_CODE} This input does not show the leader's client: Java is assumed."
            " If the members use another client, choose it above."
        )
    sure = (
        "the members' metadata and assignments show it"
        if leader.certain
        else "it is likely, but another client could have sent the same bytes"
    )
    libraries = CLIENTS[leader.client].libraries if leader.client in CLIENTS else ""
    whose = named(leader.client) + f" ({libraries})" * bool(libraries)
    return (
        f"{_OWN_CODE} The leader of this group is a client of {whose}: {sure}. Classic assignors"
        " answer as this client does."
    )
