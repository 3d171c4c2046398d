"""Readiness of groups: the facts of a document, the settings of brokers, the verdict, and the moves
of each restart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import has_racks
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.readiness.bounces import DRAWS, Bounce, bounces, default_order
from evenkeel.assignors.readiness.clients import family
from evenkeel.assignors.readiness.facts import (
    SETTINGS,
    STREAMS_PROTOCOL,
    Broker,
    Facts,
    GroupVerdict,
    Member,
    Reason,
    Verdict,
)
from evenkeel.assignors.readiness.pairs import Pair, Pairs, local_count, pairs
from evenkeel.assignors.readiness.rules import CLASSIC, CONSUMER, JAVA, judge
from evenkeel.assignors.rounds.mixed import EXTRA, Change
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.leaders import client_of, families, in_use, led_by
from evenkeel.data.scenarios.run.group_step import remembering
from evenkeel.data.text.names import group_name, short_labels

UNIFORM, RANGE = "uniform", "range"
_REMOTE = {UNIFORM: "uniform", RANGE: "broker-range"}
"""The broker's assignors by Kafka's own word: the name in `ASSIGNORS`."""

_CLASSES = {"UniformAssignor": UNIFORM, "RangeAssignor": RANGE}


@dataclass(frozen=True)
class Environment:
    """Known facts that are not in the groups: the broker's settings, the clients' releases, and the
    assignor to ask for.
    """

    broker: Broker = Broker()
    versions: Mapping[str, str] = field(default_factory=dict)
    remote: str | None = None

    @property
    def assignor(self) -> str:
        """The broker's assignor at the end, by Kafka's own word."""
        return self.remote or next(iter(self.broker.assignors or ()), UNIFORM)


def broker_of(settings: Mapping[str, str | None]) -> Broker:
    """Read settings by Kafka's names; missing settings are unknown.

    Raises
    ------
    SnapshotError
        For a setting that does not matter here, or a value that is none.
    """
    stranger = next((key for key in settings if key not in SETTINGS), None)
    if stranger is not None:
        raise SnapshotError(
            f"broker settings: found {stranger}, expected one of {', '.join(SETTINGS)}"
        )
    version, listed, policy, size, assignors, session, heartbeat = (
        settings.get(key) for key in SETTINGS
    )
    protocols = None if listed is None else {part.strip().lower() for part in listed.split(",")}
    feature = _whole("group.version", version)
    is_off = (feature is not None and feature < 1) or (
        protocols is not None and CONSUMER not in protocols
    )
    return Broker(
        is_on=False if is_off else None if version is None or listed is None else True,
        policy=policy,
        max_size=_whole(SETTINGS[3], size),
        assignors=None
        if assignors is None
        else tuple(_word_of(word) for word in assignors.split(",") if word.strip()),
        session_timeout_ms=_whole(SETTINGS[5], session),
        heartbeat_interval_ms=_whole(SETTINGS[6], heartbeat),
    )


def _whole(key: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise SnapshotError(f"{key}: found {text!r}, expected a whole number")
    return int(text)


def _word_of(name: str) -> str:
    """Return an assignor's own word: brokers may name its Java class."""
    return _CLASSES.get(name.strip().rpartition(".")[2], name.strip())


def require_remote(name: str | None, broker: Broker) -> None:
    """Refuse an assignor that the brokers do not have; members that ask for it die of
    UNSUPPORTED_ASSIGNOR.
    """
    known = tuple(word for word in broker.assignors or _REMOTE if word in _REMOTE)
    if name is not None and name not in known:
        raise SnapshotError(f"remote assignor: found {name}, expected one of {', '.join(known)}")


def require_versions(versions: Mapping[str, str]) -> None:
    """Refuse a client that is not known, and a release that is no number."""
    for name, release in versions.items():
        if name not in CLIENTS:
            raise SnapshotError(f"client: found {name}, expected one of {', '.join(CLIENTS)}")
        if not release.split(".")[0].isdecimal():
            raise SnapshotError(f"client {name}: found release {release!r}, expected such as 4.0.1")


# What is known of a group.


def facts_of(
    observed: ObservedGroup,
    clients: Sequence[frozenset[str]] | None = None,
    malformed: Iterable[str] = (),
    protocol: str | None = None,
) -> Facts:
    """Return the known facts of a group; `clients`: possible clients of each member by its bytes,
    `malformed`: members without readable bytes.

    Without bytes, a client is recognised by its own client id or by an empty rack, else every
    member counts as the likely leader's client.
    """
    group, bad, has_bytes = observed.snapshot, frozenset(malformed), clients is not None
    protocol = observed.assignor or protocol
    if clients is None:
        clients = [
            _alone(name or (observed.leader.client if observed.leader else None))
            for name in families(observed)
        ]
    if protocol == STREAMS_PROTOCOL:
        clients = [_alone(JAVA)] * group.member_count
    elif not _is_known(protocol):
        clients = [frozenset()] * group.member_count
    nothing = (None,) * group.member_count
    user_data = (
        nothing
        if observed.assignment_user_data is None
        else [None if n < 0 else n for n in observed.assignment_user_data.tolist()]
    )
    expressions = observed.subscribed_regex or nothing
    members = zip(
        group.member_id,
        observed.client_id,
        group.instance_id,
        clients,
        observed.protocol or nothing,
        user_data,
        (member in bad for member in group.member_id),
        map(bool, expressions),
        strict=True,
    )
    known = {name for possible in clients for name in possible}
    leader = (
        observed.leader.client
        if observed.leader
        else next(iter(known))
        if len(known) == 1
        else None
    )
    return Facts(
        observed.group_id,
        observed.group_type
        or (CLASSIC if observed.protocol_type or _is_of_clients(protocol) else None),
        observed.group_state,
        observed.protocol_type,
        protocol,
        tuple(Member(*member) for member in members),
        leader,
        bool(observed.leader and observed.leader.certain),
        not observed.may_have_members,
        has_bytes,
        observed.current is not None and bool((observed.current.owner != UNASSIGNED).any()),
    )


def facts_of_application(application: Application) -> Facts:
    """Return the known facts of a Kafka Streams application: its classic assignor always writes
    user data.
    """
    ids = [
        member.member_id for process in application.processes or () for member in process.consumers
    ]
    members = tuple(Member(member_id, clients=_alone(JAVA)) for member_id in ids)
    return Facts(
        application.application_id,
        application.type or CLASSIC,
        "Stable" if ids else None,
        CONSUMER,
        STREAMS_PROTOCOL,
        members,
    )


def _alone(name: str | None) -> frozenset[str]:
    return frozenset([name] if name else [])


def _is_known(protocol: str | None) -> bool:
    """Return whether some client has an assignor of this word: bytes of others say nothing of the
    client.
    """
    own = (made.protocol for client in CLIENTS.values() for made in client.assignors.values())
    return (
        protocol is None
        or protocol in own
        or any(protocol in client.own_protocols for client in CLIENTS.values())
    )


def _is_of_clients(protocol: str | None) -> bool:
    """Return whether a word names only classic assignors; `range` is the broker's too."""
    return protocol is not None and protocol not in _REMOTE and _is_known(protocol)


# The way: every restart, from today's owners to those at the end.


@dataclass(frozen=True, eq=False)
class Way:
    """The restarts of a group, one after another."""

    observed: ObservedGroup
    assignor: str
    bounces: tuple[Bounce, ...]

    @property
    def before(self) -> np.ndarray:
        """Today's owners, int32 (P,)."""
        assert self.observed.current
        return self.observed.current.owner

    @property
    def has_extra(self) -> bool:
        """Whether an extra member joins first and leaves last."""
        return any(bounce.member == EXTRA for bounce in self.bounces)

    @property
    def last(self) -> np.ndarray:
        changes = [
            each
            for bounce in self.bounces
            for each in (bounce.stopped, bounce.started)
            if each is not None
        ]
        return changes[-1].owner if changes else self.before

    @property
    def moves(self) -> int:
        """Partitions whose owner at the end is not today's."""
        return int(np.count_nonzero(self.last != self.before))

    @property
    def moved_total(self) -> int:
        """Partitions that move, summed over all restarts."""
        return sum(bounce.moved for bounce in self.bounces)

    @property
    def pairs(self) -> list[Pair]:
        """Some pairs of topics that have an owner in common now, all of them if they are few."""
        return self.together.listed

    @cached_property
    def together(self) -> Pairs:
        """What is known of all these pairs."""
        return pairs(self.observed.snapshot, self.before, self.last)

    @cached_property
    def racks(self) -> tuple[int, int] | None:
        """Partitions that are read in their own rack, now and then; None if racks are unknown."""
        before, after = (
            local_count(self.observed.snapshot, owner) for owner in (self.before, self.last)
        )
        return None if before is None or after is None else (before, after)


def way_of(
    observed: ObservedGroup, facts: Facts, assignor: str, *, extra: bool = False, draws: int = DRAWS
) -> Way | None:
    """Predict every restart; None if owners, subscriptions, sizes of topics or the assignor in use
    are unknown.
    """
    group = observed.snapshot
    is_broker = facts.group_type == CONSUMER
    left = [
        row
        for row, member in enumerate(facts.members)
        if not is_broker or member.protocol == CLASSIC
    ]
    current = observed.current
    if not left or current is None or current.extra.size:
        return None
    if any("].subscribed" in path for path in observed.assumed):
        return None
    before = None if is_broker else _in_use(observed)
    if before is None and not is_broker:
        return None
    change = Change(before, ASSIGNORS[_REMOTE[assignor]]())
    try:
        restarts = bounces(
            group,
            current,
            change,
            default_order(group, current, left),
            extra=extra,
            draws=draws,
        )
    except AssignorError:
        return None
    return Way(observed, assignor, restarts)


def _in_use(observed: ObservedGroup) -> Assignor | None:
    name = in_use(observed)
    if name is None or ASSIGNORS[name].group_type != CLASSIC:
        return None
    return remembering(led_by(client_of(observed.leader))[name](), observed)


# The answer about one group.


@dataclass(frozen=True, eq=False)
class Ready:
    """One group: its facts, its verdict, and the way of its restarts, None if there is none or it
    cannot be predicted.

    `source`: the file of a listing that names no group. `is_cooperative`: it is judged for a change
    to the cooperative assignor, in a group that stays classic.
    """

    facts: Facts
    judged: GroupVerdict
    asked: Environment
    way: Way | None = None
    observed: ObservedGroup | None = None
    source: str | None = None
    is_cooperative: bool = False

    @property
    def name(self) -> str:
        """What to call the group."""
        return group_name(self.facts.group_id, self.source)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What to call the members, by id."""
        ids = [member.member_id for member in self.facts.members]
        return dict(
            zip(
                ids,
                short_labels(ids, [member.client_id for member in self.facts.members]),
                strict=True,
            )
        )

    def label(self, member: int) -> str:
        """Return the name of the member of a restart."""
        return (
            "an extra member"
            if member == EXTRA
            else self.names[self.facts.members[member].member_id]
        )

    @property
    def member_count(self) -> int | None:
        return len(self.facts.members) if self.facts.members_known else None

    @property
    def assignor(self) -> str:
        """The assignor at the end, by Kafka's own word; of a broker that assigns already, the
        assignor in use.
        """
        return COOPERATIVE_STICKY if self.is_cooperative else _assignor(self.facts, self.asked)

    @cached_property
    def families(self) -> list[str]:
        """The families of its members, the most used first."""
        counts: dict[str, int] = {}
        for member in self.facts.members:
            if (name := family(member, self.facts)) is not None:
                counts[name] = counts.get(name, 0) + 1
        return sorted(counts, key=lambda name: -counts[name])


def _assignor(facts: Facts, environment: Environment) -> str:
    name = (
        facts.protocol
        if facts.group_type == CONSUMER and facts.protocol in _REMOTE
        else environment.assignor
    )
    return name if name in _REMOTE else UNIFORM


def answered(
    observed: ObservedGroup,
    environment: Environment,
    facts: Facts | None = None,
    draws: int = DRAWS,
    source: str | None = None,
) -> Ready:
    """Judge a group, and predict its restarts unless it is blocked. `draws`: random ids that are
    tried; 0: no prediction.
    """
    facts = facts_of(observed) if facts is None else facts
    judged = judge(
        facts,
        environment.broker,
        environment.versions,
        _at_stake(observed, facts, _assignor(facts, environment)),
    )
    ready = Ready(facts, judged, environment, observed=observed, source=source)
    return ready if not draws else predicted(ready, ready.assignor, draws)


def predicted(ready: Ready, assignor: str, draws: int = DRAWS) -> Ready:
    """Return the answer with its way, if predictable, and with the losses of the final assignment
    in the reasons.
    """
    if (
        ready.judged.verdict in (Verdict.BLOCKED, Verdict.DONE, Verdict.OTHER)
        or ready.judged.refusal
        or ready.observed is None
    ):
        return ready
    is_soon = any(reason.code == "user-data-soon" for reason in ready.judged.reasons)
    way = way_of(ready.observed, ready.facts, assignor, extra=is_soon, draws=draws)
    if way is None:
        return ready
    judged = judge(
        ready.facts,
        ready.asked.broker,
        ready.asked.versions,
        _at_stake(ready.observed, ready.facts, assignor, way),
    )
    return replace(ready, judged=judged, way=way)


def _at_stake(
    observed: ObservedGroup, facts: Facts, assignor: str, way: Way | None = None
) -> list[Reason]:
    """Return the properties that the broker's assignor does not keep; with a way, how much of it is
    there at the end.

    uniform keeps pairs by chance alone, range all of them; neither looks at racks (KAFKA-19387).
    Static members keep their partitions.
    """
    if observed.current is None or (
        facts.members and all(member.instance_id for member in facts.members)
    ):
        return []
    group, owner, reasons = observed.snapshot, observed.current.owner, []
    together = (
        way.together if way else pairs(group, owner, None) if _has_equal_sizes(group) else None
    )
    if together and together.whole and assignor == UNIFORM:
        pair = next(
            pair
            for pair in together.listed
            if pair.before == pair.partitions and (not way or pair.after == together.least)
        )
        about = {
            "partitions": pair.partitions,
            "after": pair.after if way else None,
            "assignor": assignor,
            "pairs": together.whole,
        }
        reasons.append(Reason("co-partitioned", Verdict.NOTE, (), together.topics, about))
    before, after = (way and way.racks) or (local_count(group, owner), None)
    if has_racks(group) and before:
        reasons.append(Reason("racks", Verdict.NOTE, facts={"before": before, "after": after}))
    return reasons


def _has_equal_sizes(group: GroupSnapshot) -> bool:
    sizes = group.partition_count[group.partition_count > 0]
    return len(set(sizes.tolist())) < sizes.size


def answered_application(
    application: Application, environment: Environment, source: str | None = None
) -> Ready:
    """Judge an application of Kafka Streams."""
    facts = facts_of_application(application)
    return Ready(
        facts, judge(facts, environment.broker, environment.versions), environment, source=source
    )


# The other plan: from an eager assignor to the cooperative one, in a group that stays classic.


def is_eager(ready: Ready) -> bool:
    """Return whether a group stops everything at each rebalance, as far as its protocol says."""
    name = (
        in_use(ready.observed)
        if ready.observed is not None and ready.facts.group_type == CLASSIC
        else None
    )
    return (
        name is not None
        and ASSIGNORS[name].group_type == CLASSIC
        and not ASSIGNORS[name].is_cooperative
    )


def may_be_eager(ready: Ready) -> bool:
    """Return whether nothing says if a group with members is eager: its assignor is unknown."""
    observed = ready.observed
    if observed is None or ready.facts.group_type not in (None, CLASSIC):
        return False
    return observed.member_count != 0 and in_use(observed) is None


def cooperative(ready: Ready, draws: int = DRAWS) -> Ready:
    """Judge how an eager group changes over to `cooperative-sticky`, and predict the restarts of
    its second bounce.

    Java's members list both assignors for a while: two rolling bounces. Other clients refuse such a
    list: stop all, start all.
    """
    ready = replace(ready, is_cooperative=True)
    if ready.observed is not None and may_be_eager(ready):
        reason = Reason(
            "assignor-unknown", Verdict.UNKNOWN, facts={"named": ready.observed.assignor}
        )
        return replace(ready, judged=GroupVerdict(reason.kind, None, None, (reason,)), way=None)
    families = ready.families
    without = [name for name in families if COOPERATIVE_STICKY not in CLIENTS[name].assignors]
    rolls = bool(families) and all(
        CLIENTS[name].settings and CLIENTS[name].settings.lists_both_kinds for name in families
    )
    if without or not families:
        kind = Verdict.BLOCKED if without else Verdict.UNKNOWN
        reason = Reason("no-cooperative", kind, facts={"family": without[0] if without else None})
    elif not rolls:
        reason = Reason("stop-all", Verdict.NOTE, facts={"families": families})
    else:
        reason = Reason("two-bounces", Verdict.READY)
    judged = GroupVerdict(reason.kind, None, None, (reason,))
    return replace(
        ready, judged=judged, way=_cooperative_way(ready, draws) if rolls and draws else None
    )


def _cooperative_way(ready: Ready, draws: int) -> Way | None:
    observed = ready.observed
    if observed is None or observed.current is None:
        return None
    before = _in_use(observed)
    if before is None:
        return None
    change = Change(before, led_by(client_of(observed.leader))[COOPERATIVE_STICKY]())
    order = default_order(
        observed.snapshot, observed.current, range(observed.snapshot.member_count)
    )
    try:
        return Way(
            observed,
            COOPERATIVE_STICKY,
            bounces(observed.snapshot, observed.current, change, order, draws=draws),
        )
    except AssignorError:
        return None
