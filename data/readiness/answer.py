"""The readiness of groups and applications: the verdict, and the moves in each restart."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import has_racks
from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.assignors.readiness.bounces import DRAWS, bounces, default_order
from evenkeel.assignors.readiness.clients import family
from evenkeel.assignors.readiness.facts import (
    Facts,
    GroupVerdict,
    Reason,
    Verdict,
)
from evenkeel.assignors.readiness.pairs import local_count, pairs
from evenkeel.assignors.readiness.rules import judge
from evenkeel.assignors.rounds.mixed import EXTRA, Change
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.readiness.environment import REMOTE, UNIFORM, Environment
from evenkeel.data.readiness.facts import facts_of, facts_of_application
from evenkeel.data.readiness.way import Way, classic_assignor_in_use, way_of
from evenkeel.data.scenarios.leaders import client_of, in_use, led_by
from evenkeel.data.text.names import group_name, short_labels

# The answer about one group.


@dataclass(frozen=True, eq=False)
class Ready:
    """A group: its facts, its verdict, and the predicted restarts (`way`).

    `way` is None if no member restarts, or if the restarts cannot be predicted.

    `source`: file of a listing without a group name. `is_cooperative`: the group is judged for a
    change to the cooperative assignor, and stays classic.
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
        """Displayed name of the group."""
        return group_name(self.facts.group_id, self.source)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Displayed names of the members, by id."""
        ids = [member.member_id for member in self.facts.members]
        return dict(
            zip(
                ids,
                short_labels(ids, [member.client_id for member in self.facts.members]),
                strict=True,
            )
        )

    def label(self, member: int) -> str:
        """Return the displayed name of the restarted member."""
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
        """The assignor after the move, by Kafka's name; unchanged if the broker already assigns."""
        return COOPERATIVE_STICKY if self.is_cooperative else _assignor(self.facts, self.asked)

    @cached_property
    def families(self) -> list[str]:
        """Client families of the members, most used family first."""
        counts: dict[str, int] = {}
        for member in self.facts.members:
            if (name := family(member, self.facts)) is not None:
                counts[name] = counts.get(name, 0) + 1
        return sorted(counts, key=lambda name: -counts[name])


def _assignor(facts: Facts, environment: Environment) -> str:
    name = (
        facts.protocol
        if facts.group_type == CONSUMER and facts.protocol in REMOTE
        else environment.assignor
    )
    return name if name in REMOTE else UNIFORM


def answered(
    observed: ObservedGroup,
    environment: Environment,
    facts: Facts | None = None,
    draws: int = DRAWS,
    source: str | None = None,
) -> Ready:
    """Judge a group, and predict its restarts unless it is blocked.

    `draws`: number of random member ids that are tried; 0 for no prediction.
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
    """Return `ready` with its predicted restarts; unchanged if they cannot be predicted.

    The reasons of the verdict then say how many pairs or local partitions remain at the end.
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
    """Return notes about pairs and local partitions that the broker's assignor may not keep.

    A pair is two topics whose partitions have common owners; a local partition is read in its own
    rack. If `way` is known, the notes say how many remain. uniform keeps pairs only by chance,
    range keeps all pairs; neither uses racks (KAFKA-19387). Static members keep their partitions.
    """
    if observed.current is None or (
        facts.members and all(member.instance_id for member in facts.members)
    ):
        return []
    group, owner, reasons = observed.snapshot, observed.current.owner, []
    together = way.together if way else None
    if way is None and _has_equal_sizes(group):
        together = pairs(group, owner, None)
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


# The other plan: change from an eager assignor to the cooperative assignor; the group stays
# classic.


def is_eager(ready: Ready) -> bool:
    """Return whether each rebalance stops all partitions; False if the assignor is unknown."""
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
    """Return whether the group may be eager, because it has members and its assignor is unknown."""
    observed = ready.observed
    if observed is None or ready.facts.group_type not in (None, CLASSIC):
        return False
    return observed.member_count != 0 and in_use(observed) is None


def cooperative(ready: Ready, draws: int = DRAWS) -> Ready:
    """Judge how an eager group can change to `cooperative-sticky`.

    Java's clients need two rolling restarts: the first adds `cooperative-sticky` to the list of
    assignors, the second removes the eager assignor. Only the second restart is predicted. Other
    clients cannot list both assignors, so all members must stop before the first one starts again.
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
    before = classic_assignor_in_use(observed)
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
