"""Sentences about clients: their names, and what it means that a client leads a group."""

from collections.abc import Sequence

from evenkeel.assignors import CLIENTS, JAVA
from evenkeel.data.group.document import Leader
from evenkeel.data.text.formats import listed

_OWN_CODE = "A classic group is assigned by its leader, with that client's own code."


def shown(client: str) -> str:
    """Return the client and the releases with the same answers: `librdkafka 2.6 to 2.16`.

    Java has no releases here.
    """
    return f"{named(client)} {CLIENTS[client].releases}".rstrip()


def named(client: str) -> str:
    """Return the client without a release: `Java`, `librdkafka`."""
    return (client in CLIENTS and CLIENTS[client].label) or client


def answered_by(client: str | None, release: str | None) -> str:
    """Return the source of the answers: `Kafka 4.3.1`, `librdkafka 2.6 to 2.16`.

    `client`: None for Java. `release`: None if unknown.
    """
    return f"Kafka {release or ''}".rstrip() if client in (None, JAVA) else shown(client)


def answers_of(client: str) -> str:
    """Return the sentence that names the client whose answers are shown."""
    return f"The answers follow the code of {shown(client)}, which assigns this group."


def mixed(clients: Sequence[str]) -> str:
    """Return two sentences about a group whose members use several clients; the leader's client is
    first.
    """
    return (
        f"The members use {listed(map(named, clients), len(clients))}: whichever client leads, its"
        " code assigns. When the leader leaves, the next member's client takes over."
    )


def badge(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """Return a badge such as `led by librdkafka, likely`, `led by Java, assumed` or `led by Java ·
    mixed`.
    """
    if chosen:
        return f"led by {named(chosen)}, chosen"
    is_mixed = " · mixed" if len(possible) > 1 else ""
    if leader is None:
        return f"led by {named(JAVA)}, assumed{is_mixed}"
    certainty = "" if leader.certain else ", likely"
    return f"led by {named(leader.client)}{certainty}{is_mixed}"


def meaning(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """Return the meaning of the badge.

    `possible`: clients that members may use. `chosen`: a client that replaces the leader's client.
    """
    if chosen:
        given = (
            f"The input shows {named(leader.client)}"
            if leader
            else "The input does not say which client that is"
        )
        return f"{_OWN_CODE} {named(chosen)} is chosen. {given}. {answers_of(chosen)}"
    return f"{_meaning(leader)} {mixed(possible)}" if len(possible) > 1 else _meaning(leader)


def _meaning(leader: Leader | None) -> str:
    if leader is None:
        return (
            f"{_OWN_CODE} This input does not say which client that is: Java is assumed."
            " Choose another client above if the members use one."
        )
    sure = (
        "the members' metadata and assignments show it"
        if leader.certain
        else "it is likely, but the bytes fit another client too"
    )
    libraries = CLIENTS[leader.client].libraries if leader.client in CLIENTS else ""
    whose = named(leader.client) + f" ({libraries})" * bool(libraries)
    return (
        f"{_OWN_CODE} The leader of this group is a client of {whose}: {sure}. Classic assignors"
        " answer as this client does."
    )
