"""One rebalance with its cause, triggers and evidence.

In a classic group, a rebalance makes one generation; in a KIP-848 group, one epoch.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import CLASSIC

MOST_ALTERNATIVES = 3


class Member(NamedTuple):
    """The known ids of a member."""

    member_id: str
    client_id: str | None = None
    instance_id: str | None = None

    @property
    def name(self) -> str:
        """The name that pages show: client id, else instance id, else member id."""
        return self.client_id or self.instance_id or self.member_id

    @property
    def key(self) -> str:
        """The id that a restart does not change: instance id, else client id, else member id."""
        return self.instance_id or self.client_id or self.member_id


class Evidence(NamedTuple):
    """A line of a log, or a record of `__consumer_offsets`.

    `place`: where the line or record is. `at`: time of the line or record. `text`: message of the
    line, empty for a record.
    """

    place: str
    at: int
    text: str = ""

    @property
    def file(self) -> str:
        """The file of a log line; empty for a record."""
        return self.place.rpartition(":")[0]


@dataclass(slots=True)
class Trigger:
    """An event that triggered a rebalance.

    `alternatives`: other causes that the same evidence permits.
    """

    cause: str
    at: int | None
    evidence: str
    member: Member | None = None
    alternatives: tuple[str, ...] = ()
    reason: str | None = None


UNNUMBERED = -(1 << 31)
"""First generation number of a group whose client logs no generations; its generations are counted
from this number.
"""


@dataclass(slots=True)
class Rebalance:
    """One rebalance. Times are in milliseconds since 1970, or None if unknown.

    `assignment`: partitions by member and topic; only clients' logs have it. `roster`: members
    after the rebalance. `owned`: owner of each partition before the rebalance, None if
    `owners_before` can derive the owners. `partitions`: number of partitions that have an owner
    after the rebalance. Only records of `__consumer_offsets` have `roster`, `owned` and
    `partitions`.
    """

    group: str
    protocol: str
    generation: int
    generation_before: int | None = None
    start: int | None = None
    joined: int | None = None
    assigned: int | None = None
    stable: int | None = None
    completed: bool | None = None
    cause: str = "unknown"
    alternatives: tuple[str, ...] = ()
    triggers: list[Trigger] = field(default_factory=list)
    members_joined: list[Member] = field(default_factory=list)
    members_left: list[Member] = field(default_factory=list)
    members: int | None = None
    static_members: int | None = None
    leader: str | None = None
    assignor: str | None = None
    slowest: tuple[Member, int] | None = None
    moved: list[tuple[str, str | None, str | None]] | None = None
    follow_up_of: int | None = None
    conversion: str | None = None
    chain: str | None = None
    coordinator: int | None = None
    source: str = "log"
    zone_assumed: bool = False
    evidence: list[Evidence] = field(default_factory=list)
    rebalance_timeout_ms: int | None = None
    session_timeout_ms: int | None = None
    roster: tuple[Member, ...] | None = None
    owned: dict[str, str] | None = None
    partitions: int | None = None
    assignment: dict[str, dict[str, list[int]]] | None = None

    @property
    def number(self) -> int | None:
        """The generation; None if the source has no generation numbers."""
        return self.generation if self.generation >= 0 else None

    @property
    def time(self) -> int | None:
        """The start of the rebalance; if the start is unknown, the time of the first known step."""
        return next(
            (
                moment
                for moment in (self.start, self.joined, self.assigned, self.stable)
                if moment is not None
            ),
            None,
        )

    @property
    def end_is(self) -> str | None:
        """Name of the last known step: `stable`, `assigned` or `joined`."""
        steps = {"stable": self.stable, "assigned": self.assigned, "joined": self.joined}
        return next((name for name, at in steps.items() if at is not None), None)

    @property
    def end(self) -> int | None:
        """Time of the last known step."""
        return next(
            (at for at in (self.stable, self.assigned, self.joined) if at is not None), None
        )

    @property
    def duration_ms(self) -> int | None:
        """Time from start to end; None if the start or the end is unknown."""
        return None if self.start is None or self.end is None else self.end - self.start

    @property
    def ran_into_max_poll_interval(self) -> bool:
        """Whether the join phase lasted as long as the rebalance timeout, within 100 ms."""
        if self.start is None or self.joined is None or self.rebalance_timeout_ms is None:
            return False
        return abs(self.joined - self.start - self.rebalance_timeout_ms) <= 100

    @property
    def paused(self) -> float | None:
        """Partition-seconds: the pause of each partition in seconds, summed; None if unknown.

        With an eager assignor, all partitions pause during the rebalance; else only moved
        partitions.
        """
        if self.duration_ms is None or self.partitions is None:
            return None
        is_eager = self.protocol == CLASSIC and "cooperative" not in (self.assignor or "")
        moved = sum(move[1] is not None for move in self.moved or ())
        return (self.partitions if is_eager else moved) * self.duration_ms / 1000

    def decide(self, cause: str, alternatives: Iterable[str] = ()) -> None:
        """Set the cause, and up to three other causes that fit the evidence."""
        self.cause = cause
        self.alternatives = tuple(each for each in dict.fromkeys(alternatives) if each != cause)[
            :MOST_ALTERNATIVES
        ]

    def document(self) -> dict[str, Any]:
        """Return the rebalance as one JSON line of format `evenkeel.rebalance/1`."""
        row = row_of(self, iso)
        return {
            "schema": "evenkeel.rebalance/1",
            **{name: row[name] for name in COLUMNS if name not in OF_TABLES},
            "evidence": [evidence.place for evidence in self.evidence],
            **({} if self.assignment is None else {"assignment": self.assignment}),
        }


# A rebalance as a row of JSON, of a table or of a share, and back.


_TIMES = ("start", "joined", "assigned", "stable")
_MEMBERS = ("members_joined", "members_left")
_COMPUTED = ("group", "generation", "end_is", "duration_ms", "paused")
RECORDED = ("static_members", "rebalance_timeout_ms", "session_timeout_ms", "partitions", "owned")
OF_TABLES = (*RECORDED, "paused")
"""Columns that a line of JSON does not have."""

COLUMNS = (
    "group",
    "protocol",
    "generation_before",
    "generation",
    *_TIMES,
    "end_is",
    "duration_ms",
    "completed",
    "cause",
    "alternatives",
    "triggers",
    *_MEMBERS,
    "members",
    "leader",
    "assignor",
    "slowest",
    "moved",
    "follow_up_of",
    "conversion",
    "chain",
    "coordinator",
    "source",
    "zone_assumed",
    "evidence",
    *OF_TABLES,
)
"""Columns in the order of JSON. A table has the order of its schema."""


def row_of(event: Rebalance, moment: Callable[[int | None], Any]) -> dict[str, Any]:
    """Return the rebalance as a row: a value for each column.

    `moment`: converts milliseconds since 1970 to the row's type of time.
    """
    moved = event.moved
    return {name: getattr(event, name) for name in COLUMNS} | {
        "generation": event.number,
        **{name: moment(getattr(event, name)) for name in _TIMES},
        "alternatives": list(event.alternatives),
        "triggers": [_trigger_row(trigger, moment) for trigger in event.triggers],
        **{name: [member._asdict() for member in getattr(event, name)] for name in _MEMBERS},
        "slowest": event.slowest and {**event.slowest[0]._asdict(), "waited_ms": event.slowest[1]},
        "moved": None if moved is None else [list(move) for move in moved],
        "evidence": [each._asdict() | {"at": moment(each.at)} for each in event.evidence],
    }


def _trigger_row(trigger: Trigger, moment: Callable[[int | None], Any]) -> dict[str, Any]:
    member = trigger.member._asdict() if trigger.member else dict.fromkeys(Member._fields)
    return {
        "cause": trigger.cause,
        "alternatives": list(trigger.alternatives),
        **member,
        "reason": trigger.reason,
        "at": moment(trigger.at),
        "evidence": trigger.evidence,
    }


def event_of(row: Mapping[str, Any], instant: Callable[[Any], int | None]) -> Rebalance:
    """Return the rebalance of a row.

    `instant`: converts a time of the row to milliseconds since 1970.

    Raises
    ------
    KeyError, TypeError, ValueError
        If a column is missing or has an invalid value.
    """
    number = row["generation"]
    event = Rebalance(row["group"], row["protocol"], UNNUMBERED if number is None else number)
    for name in COLUMNS:
        if name not in _COMPUTED:
            setattr(event, name, row[name])
    for name in _TIMES:
        setattr(event, name, instant(row[name]))
    for name in _MEMBERS:
        setattr(event, name, [_member_of(each) for each in row[name] or ()])
    event.alternatives = tuple(row["alternatives"] or ())
    event.triggers = [_trigger_of(each, instant) for each in row["triggers"] or ()]
    slowest, moved = row["slowest"], row["moved"]
    event.slowest = slowest and (_member_of(slowest), slowest["waited_ms"])
    event.moved = (
        None if moved is None else [(partition, owner, taker) for partition, owner, taker in moved]
    )
    event.evidence = [
        Evidence(each["place"], instant(each["at"]) or 0, each["text"] or "")
        for each in row["evidence"] or ()
    ]
    return event


def _trigger_of(row: Mapping[str, Any], instant: Callable[[Any], int | None]) -> Trigger:
    return Trigger(
        row["cause"],
        instant(row["at"]),
        row["evidence"],
        None if row["member_id"] is None else _member_of(row),
        tuple(row["alternatives"] or ()),
        row["reason"],
    )


def _member_of(row: Mapping[str, Any]) -> Member:
    return Member(*(row[name] for name in Member._fields))


def in_order(events: Iterable[Rebalance]) -> list[Rebalance]:
    """Return rebalances in order of their first known time."""
    return sorted(
        events,
        key=lambda event: (event.time is None, event.time or 0, event.group, event.generation),
    )


def renumbered(events: Iterable[Rebalance]) -> list[Rebalance]:
    """Return the rebalances in order of time, with generation numbers where they are missing.

    A group's rebalances without a generation get numbers in order of time.
    """
    ordered = in_order(events)
    counts: dict[str, int] = {}
    for event in ordered:
        if event.number is None:
            event.generation = UNNUMBERED + counts.setdefault(event.group, 0)
            counts[event.group] += 1
    return ordered


def by_group(events: Iterable[Rebalance]) -> dict[str, list[Rebalance]]:
    """Return the rebalances of each group, each in order of time."""
    groups: dict[str, list[Rebalance]] = {}
    for event in in_order(events):
        groups.setdefault(event.group, []).append(event)
    return groups


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment_of(at: int | None) -> datetime | None:
    """Return the time `at`, given in milliseconds since 1970; None if `at` is None."""
    return None if at is None else _EPOCH + timedelta(milliseconds=at)


def millis_of(moment: datetime | None) -> int | None:
    """Return `moment` in milliseconds since 1970; None if `moment` is None."""
    return None if moment is None else round((moment - _EPOCH) / timedelta(milliseconds=1))


def iso(at: int | None) -> str | None:
    """Return milliseconds since 1970 as ISO 8601 text in UTC; None if `at` is None."""
    moment = moment_of(at)
    if moment is None:
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def millis(text: str | None) -> int | None:
    """Return milliseconds since 1970 from a text that `iso` wrote; None if `text` is None."""
    return None if text is None else millis_of(datetime.fromisoformat(text))
