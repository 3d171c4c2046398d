"""The groups of the example cluster, each with one story; minutes count back from the last slot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

SLOTS = 1_441
"""A day of slots of 60 s, with the slot at its beginning."""

HOUR = 60
DAY = SLOTS - 1


class Absence(NamedTuple):
    """A member is not there from `first` to `last`, minutes before the end, both included."""

    member: int
    first: int
    last: int = 0


class Restart(NamedTuple):
    """A member has another id from a minute on."""

    member: int
    at: int


@dataclass(eq=False)
class Run:
    """The day of one group by slots and partitions, (S, P), for its story to change.

    `rate`: arriving records/s. `pace`: records/s that the owner can read, inf if it keeps up.
    `begin`: age in minutes of the oldest record, 0 if none is deleted. `back`: records by which a
    commit falls.
    """

    rate: np.ndarray
    pace: np.ndarray
    begin: np.ndarray
    back: np.ndarray
    is_owned: np.ndarray
    has_commit: np.ndarray
    has_end: np.ndarray
    is_stable_end: np.ndarray

    @classmethod
    def of(cls, rate: float, partitions: int) -> "Run":
        shape = (SLOTS, partitions)
        always = [np.ones(shape, dtype=bool) for _ in range(4)]
        always[3][:] = False
        return cls(
            np.full(shape, rate), np.full(shape, np.inf), np.zeros(shape), np.zeros(shape), *always
        )


Story = Callable[[Run], None]


def since(minutes: int) -> slice:
    """Return the slots of the last minutes."""
    return slice(DAY - minutes, None)


@dataclass(frozen=True)
class Group:
    """One group.

    `subscribed`: topics that members still read, all by default. `prepares`: minutes for which the
    group has been rebalancing. `retention`: of its topics, in minutes.
    `committed`: offset at which a topic that was made anew is still committed.
    """

    name: str
    topics: Mapping[str, int]
    members: int = 3
    rate: float = 8.0
    story: Story = lambda run: None
    absences: tuple[Absence, ...] = ()
    restarts: tuple[Restart, ...] = ()
    subscribed: tuple[str, ...] = ()
    prepares: int = -1
    type: str = "classic"
    assignor: str = "range"
    retention: int = 7 * 24 * HOUR
    committed: int | None = None


def _slow(minutes: int, part: float, columns: slice = slice(None)) -> Story:
    """Let owners read a part of what arrives."""

    def story(run: Run) -> None:
        run.pace[since(minutes), columns] = run.rate[since(minutes), columns] * part

    return story


def _stop(minutes: int, columns: slice) -> Story:
    return _slow(minutes, 0.0, columns)


def _never_moves(run: Run) -> None:
    run.pace[:] = 0.0


def _open_transaction(run: Run) -> None:
    _stop(26, slice(0, 1))(run)
    run.is_stable_end[since(26), 0] = True


def _unowned(run: Run) -> None:
    run.is_owned[since(18), 5] = False
    run.pace[since(18), 5] = 0.0


def _deletes(minutes: int, stopped: int, columns: slice) -> Story:
    """Let the broker delete what is older than some minutes, in steps of ten, and a part stand
    still.
    """

    def story(run: Run) -> None:
        run.begin[:] = minutes
        _stop(stopped, columns)(run)

    return story


def _falls_back(run: Run) -> None:
    run.back[DAY - 3, :3] = 40_000
    run.pace[since(3)] = 12.0


def _hot(run: Run) -> None:
    run.rate[since(2 * HOUR), 3] = 48.0
    run.pace[since(2 * HOUR), 3] = 30.0


def _double_share(run: Run) -> None:
    """Range gives the first two of three members two of the five partitions of each topic, 160
    records/s; each member can read 145.
    """
    for column in range(20):
        if column % 5 < 4:
            run.pace[since(2 * HOUR), column] = 145 / 8


def _catches_up(run: Run) -> None:
    run.pace[since(110)] = 0.0
    run.pace[since(20)] = 24.0


def _without_commit(run: Run) -> None:
    run.has_commit[:, 2] = False


def _leaves_topic(run: Run) -> None:
    run.is_owned[since(5 * HOUR), 4:] = False
    run.pace[since(5 * HOUR), 4:] = 0.0


def _without_leader(run: Run) -> None:
    run.has_end[since(6)] = False


def _is_gone(count: int, minutes: int, until: int = 0) -> tuple[Absence, ...]:
    return tuple(Absence(member, minutes, until) for member in range(count))


GROUPS = (
    Group(
        "email-sender",
        {"mail.outbox": 6},
        story=_stop(47, slice(None)),
        absences=_is_gone(3, 47),
    ),
    Group(
        "invoice-writer",
        {"billing.invoices": 12},
        members=4,
        story=_stop(31, slice(6, 9)),
    ),
    Group(
        "checkout",
        {"checkout.events": 8},
        members=4,
        story=_stop(22, slice(5, 6)),
    ),
    Group(
        "ledger-reader",
        {"ledger.entries": 6},
        story=_open_transaction,
    ),
    Group("loyalty", {"loyalty.events": 6}, story=_unowned),
    Group(
        "audit-sink",
        {"audit.log": 4},
        members=2,
        story=_deletes(HOUR, 3 * HOUR, slice(None)),
        absences=_is_gone(2, 3 * HOUR),
        retention=HOUR,
    ),
    Group(
        "returns-archiver",
        {"returns.events": 6},
        story=_deletes(2 * HOUR, 50, slice(2, 4)),
        retention=2 * HOUR,
    ),
    Group(
        "search-indexer",
        {"search.updates": 6},
        story=_falls_back,
    ),
    Group(
        "pricing",
        {"pricing.offers": 10},
        members=5,
        story=_slow(45, 0.5, slice(4, 6)),
    ),
    Group(
        "clickstream",
        {"clickstream.events": 12},
        members=6,
        rate=30.0,
        story=_slow(80, 0.8),
    ),
    Group(
        "thumbnails",
        {"thumbnails.jobs": 4},
        members=5,
        story=_slow(3 * HOUR, 0.7),
    ),
    Group(
        "fraud-scorer",
        {"card.payments": 8},
        members=4,
        rate=20.0,
        story=_stop(3, slice(None)),
        prepares=3,
    ),
    Group(
        "sessions",
        {"sessions.raw": 8},
        members=4,
        story=_hot,
    ),
    Group(
        "enricher",
        {"enrich.carts": 5, "enrich.clicks": 5, "enrich.orders": 5, "enrich.views": 5},
        rate=20.0,
        story=_double_share,
    ),
    Group(
        "catalog-sync",
        {"catalog.changes": 6},
        story=_catches_up,
        absences=_is_gone(3, 110, 21),
    ),
    Group("kyc", {"kyc.events": 4}, members=2, story=_without_commit),
    Group(
        "crm-export",
        {"crm.contacts": 4, "crm.legacy": 3},
        members=2,
        story=_leaves_topic,
        subscribed=("crm.contacts",),
    ),
    Group(
        "old-reports",
        {"reports.daily": 3},
        members=2,
        rate=0.5,
        story=_never_moves,
        absences=_is_gone(2, DAY),
    ),
    Group(
        "reconciliation",
        {"bank.statements": 4},
        members=2,
        rate=0.2,
        story=_never_moves,
        committed=500_000,
    ),
    Group(
        "geo-index",
        {"geo.tiles": 4},
        members=2,
        story=_without_leader,
    ),
    Group(
        "notifier",
        {"notifications": 6},
        restarts=tuple(Restart(1, minute) for minute in (36, 29, 22, 15, 8, 1)),
    ),
    Group(
        "feature-store",
        {"features.raw": 10},
        members=5,
        restarts=tuple(Restart(place, at) for place, at in enumerate((18, 14, 9, 5, 2))),
    ),
    Group(
        "payments",
        {"payments.orders": 8},
        members=4,
        restarts=tuple(Restart(member, 33) for member in range(4)),
    ),
    Group("web-push", {"push.queue": 3}, members=5),
    Group("recommendations", {"views.enriched": 8}, type="consumer", assignor="uniform"),
    Group("device-state", {"devices.telemetry": 12}, members=4, type="consumer", assignor="range"),
    Group("shipping", {"shipping.labels": 6}, assignor="cooperative-sticky"),
    Group("inventory", {"stock.moves": 8}, members=4, assignor="cooperative-sticky"),
    Group("tax", {"tax.lines": 4}, members=2),
    Group("gateway-logs", {"gateway.access": 12}, members=4, rate=40.0, assignor="roundrobin"),
    Group("metrics-rollup", {"metrics.raw": 8}, members=4, rate=25.0, assignor="sticky"),
    Group("bounces", {"mail.bounces": 3}),
)
