"""Clients in words: what each is called, and what it means that one of them leads a group."""

from collections.abc import Sequence

from evenkeel.assignors import CLIENTS, JAVA
from evenkeel.data.document import Leader
from evenkeel.data.words.lists import listed

_OWN_CODE = "A classic group is assigned by its leader, with that client's own code."


def shown(client: str) -> str:
    """Return the client with the releases whose answers these are: `librdkafka 2.6 to 2.16`; of Java the name alone."""
    return f"{named(client)} {CLIENTS[client].releases}".rstrip()


def named(client: str) -> str:
    """Return the client without a release: `Java`, `librdkafka`."""
    return (client in CLIENTS and CLIENTS[client].label) or client


def answered_by(client: str | None, release: str | None) -> str:
    """`Kafka 4.3.1`, `librdkafka 2.6 to 2.16`: whose answers these are; None is Java, and an unknown release."""
    return f"Kafka {release or ''}".rstrip() if client in (None, JAVA) else shown(client)


def answers_of(client: str) -> str:
    """Return one sentence for an answer of a client that leads a group."""
    return f"The answers are those of {shown(client)}, whose code assigns this group."


def mixed(clients: Sequence[str]) -> str:
    """Return two sentences about a group whose members use several clients, the leader's first."""
    return (
        f"The members use {listed(map(named, clients), len(clients))}: whichever client leads, its code assigns. "
        "When the leader leaves, the next member's client takes over."
    )


def badge(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """`led by librdkafka`, `led by librdkafka, likely`, `led by Java, assumed`, `led by Java · mixed`, `led by librdkafka, chosen`."""
    if chosen:
        return f"led by {named(chosen)}, chosen"
    sure = ", assumed" if leader is None else "" if leader.certain else ", likely"
    return f"led by {named(leader.client) if leader else named(JAVA)}{sure}{' · mixed' * (len(possible) > 1)}"


def meaning(leader: Leader | None, possible: Sequence[str] = (), chosen: str | None = None) -> str:
    """Return what the badge means; `possible`: clients that members are known to use; `chosen`: in place of the leader."""
    if chosen:
        given = f"The input shows {named(leader.client)}" if leader else "The input does not say which client that is"
        return f"{_OWN_CODE} {named(chosen)} is chosen. {given}. {answers_of(chosen)}"
    return f"{_meaning(leader)} {mixed(possible)}" if len(possible) > 1 else _meaning(leader)


def _meaning(leader: Leader | None) -> str:
    if leader is None:
        return (
            f"{_OWN_CODE} This input does not say which client that is: Java is assumed. "
            "Choose another client above if the members use one."
        )
    sure = "what the members sent and got shows it" if leader.certain else "it is likely, but the bytes fit another client too"
    libraries = CLIENTS[leader.client].libraries if leader.client in CLIENTS else ""
    whose = named(leader.client) + f" ({libraries})" * bool(libraries)
    return f"{_OWN_CODE} The leader of this group is a client of {whose}: {sure}. Answers of classic assignors are those of this client."
