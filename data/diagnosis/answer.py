"""The diagnosis of one group, the same for all readers: sentences, findings, remedies and JSON."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple, Self

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.diagnosis import Diagnosis, diagnose
from evenkeel.assignors.diagnosis.finding import GAIN, Certainty, Class, Code, Finding
from evenkeel.assignors.diagnosis.past import EXPLAINED
from evenkeel.assignors.diagnosis.reading import earlier_of
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.findings import IgnoreRule, ignored_of
from evenkeel.data.diagnosis import words
from evenkeel.data.diagnosis.offers import assigned_at_rest, offers_of
from evenkeel.data.diagnosis.over_time import on_rows
from evenkeel.data.diagnosis.phrases import MOST_NAMES, Names
from evenkeel.data.diagnosis.reading import Readings, reading_of
from evenkeel.data.diagnosis.remedies import CATCHES_UP, remedies_of
from evenkeel.data.diagnosis.remedy import NO_DRAIN, Action, Helps, Remedy, with_effects
from evenkeel.data.diagnosis.words import words_of
from evenkeel.data.episodes.answer import iso
from evenkeel.data.episodes.past import GroupPast, Outlook
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import own_assignors
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.text.formats import duration
from evenkeel.data.text.names import cut

SCHEMA = "evenkeel.diagnosis/1"

_WIDEST_REASON = 100
"""Most characters for the reason of an unknown lag."""

_OF_ASSIGNMENT = (Action.SWITCH, Action.WEIGHTS, Action.BEST_PLAN)

_HOW_SURE = {Certainty.CERTAIN: "Certain", Certainty.LIKELY: "Likely", Certainty.UNSURE: "Open"}


class DrainWords(NamedTuple):
    """A group's drain time in words, empty if unknown; `is_endless`: the lag never reaches 0."""

    text: str
    is_endless: bool


@dataclass(frozen=True, eq=False)
class Answer:
    """The diagnosis of one group; its sentences and remedies are computed at their first use.

    `avoidable`: sentences about settings that would have prevented rebalances. `drained_by`: the
    time at which the lag reaches 0, only if the group catches up without help.
    """

    readings: Readings
    case: Case
    diagnosis: Diagnosis
    names: Names
    cluster: str | None = None
    drained_by: datetime | None = None
    settings: Settings = Settings()
    avoidable: Sequence[str] = ()

    @property
    def observed(self) -> ObservedGroup:
        return self.readings.now

    @property
    def headline(self) -> Finding:
        return self.diagnosis.headline

    @property
    def code(self) -> Code:
        return self.headline.code

    @property
    def group_class(self) -> Class:
        return self.diagnosis.group_class

    @cached_property
    def sentence(self) -> str:
        """The sentence of the headline."""
        return words.sentence(self.headline, self.names)

    @property
    def how_sure(self) -> str:
        """How sure the headline is: `Certain`, `Likely`, or `Open` if a second reading decides."""
        is_open = self.settles and self.case.is_one_reading and self.group_class != Class.FINE
        return _HOW_SURE[Certainty.UNSURE if is_open else self.headline.certainty]

    @property
    def names_partitions(self) -> bool:
        """Whether the headline is about partitions, and its sentence names every partition."""
        return not self.headline.members and len(self.headline.tps) <= MOST_NAMES

    @property
    def advice(self) -> str:
        return self._advice_of(self.headline)

    def _advice_of(self, finding: Finding) -> str:
        return words.advice(self._told(finding), self.names)

    def _told(self, finding: Finding) -> Finding:
        """Return a finding; if it is the headline, add the effects of its remedies."""
        is_headline = finding is self.headline
        return with_effects(finding, lambda: self.remedies) if is_headline else finding

    @property
    def command(self) -> str | None:
        return words_of(self.headline).command(self.headline, self.names)

    @property
    def change(self) -> dict[str, str] | None:
        """The command that acts on the cause, and the command's effect; None if there is none."""
        return words_of(self.headline).change(self.headline, self.names)

    @property
    def settles(self) -> str | None:
        """The evidence that would make the headline certain."""
        return words.settles(self.headline, is_one_reading=self.case.is_one_reading)

    @property
    def is_open(self) -> bool:
        """Whether the first advice is to read the group again."""
        is_later = self.group_class == Class.LATER or self.code == Code.UNEVEN
        return self.case.is_one_reading and is_later

    @property
    def short(self) -> str:
        """The headline in a few words, for lists of groups."""
        return (
            words.RECOVERS if self.group_class == Class.RECOVER else words_of(self.headline).short
        )

    @cached_property
    def others(self) -> list[Finding]:
        """The findings, without the headline and without findings that the headline explains."""
        return [each for each in self.diagnosis.findings[1:] if EXPLAINED not in each.detail]

    @cached_property
    def notes(self) -> list[str]:
        """The sentences of `others`."""
        return list(map(self.text_of, self.others))

    def text_of(self, finding: Finding) -> str:
        """Return the sentence of a finding."""
        return words.sentence(finding, self.names)

    def about_input(self, *others: str) -> list[str]:
        """Return the notes about the input; omit a note if a finding has the same fact.

        `others`: codes of notes that the page already shows elsewhere.
        """
        codes = {finding.code for finding in self.diagnosis.findings}
        return [
            f"{note['text'][:1].upper()}{note['text'][1:]}."
            for note in self.readings.notes
            if note["code"] not in others and codes.isdisjoint(words.SAID_BY.get(note["code"], ()))
        ]

    @cached_property
    def remedies(self) -> list[Remedy]:
        return remedies_of(self.observed, self.case, self.diagnosis, self.settings, self.avoidable)

    @property
    def catches_up(self) -> bool:
        """Whether the group catches up without help, so there is nothing to do."""
        return self.remedies[0].why == CATCHES_UP

    def drain_of(self, assigned: Assignment) -> DrainWords:
        """Return the drain time if the group had this assignment, at the rates of the readings."""
        seconds = self.case.drained_in(assigned.owner)
        if math.isnan(seconds):
            return DrainWords("", False)
        is_endless = seconds == math.inf
        return DrainWords(
            NO_DRAIN if is_endless else f"drained in about {duration(seconds)}", is_endless
        )

    @cached_property
    def may_reassign(self) -> bool:
        """Whether another assignment may help."""
        return any(
            each.action in _OF_ASSIGNMENT and each.helps != Helps.NO for each in self.remedies
        )

    @property
    def no_switch(self) -> str:
        """Why a switch of assignor does not help; empty if it may help or the reason is unknown."""
        switch = next((each for each in self.remedies if each.action == Action.SWITCH), None)
        if switch is None or self.may_reassign:
            return ""
        return f"Another assignor does not help: {switch.why}."

    @property
    def not_reading(self) -> tuple[int, ...]:
        """Members with unknown capacity: they read nothing, or far less than other members."""
        codes = (self.code, self.headline.detail.get("because"))
        is_silent = not {Code.STALLED, Code.SILENT_MEMBER}.isdisjoint(codes)
        return self.headline.members if is_silent else ()

    def named_as(self, observed: ObservedGroup) -> Self:
        """Return the answer for `observed`, a copy of the group with other names.

        The cluster, the notes about the input and the reason of an unknown lag may contain original
        names. The returned answer has none of the three.
        """
        readings = self.readings._replace(now=observed, notes=(), reason=None)
        diagnosis = self.diagnosis.with_reason(None)
        names = Names(observed)
        return replace(self, readings=readings, diagnosis=diagnosis, names=names, cluster=None)

    @cached_property
    def switched(self) -> Assignment | None:
        """The owners after the switch that the headline advises; None if it advises no switch."""
        name = self.headline.detail.get("assignor")
        if not isinstance(name, str):
            return None
        assignor = own_assignors(self.observed, self.settings)[name]
        return assigned_at_rest(self.observed.snapshot, assignor)

    def document(self) -> dict[str, Any]:
        """Return the JSON document; unknown values are null."""
        case, observed = self.case, self.observed
        return {
            "schema": SCHEMA,
            "cluster": self.cluster,
            "group": self.names.group_id,
            "at": _instant(observed.taken_at),
            "headline": self.code.value,
            "class": self.group_class.value,
            "done_by": _instant(self.drained_by),
            "findings": [self._finding(*pair) for pair in self.diagnosis.pairs],
            "remedies": self.remedy_documents(),
            "total_lag": case.total,
            "unread_lag": case.unread_lag,
            "left_lag": case.left_lag,
            "unknown_partitions": case.unknown_count,
            "notes": list(self.readings.notes),
            "growth": self.readings.growth,
        }

    def remedy_documents(self) -> list[dict[str, Any]]:
        """Return the remedies as in the JSON document."""
        return [each.document(self.observed.snapshot.member_id) for each in self.remedies]

    def _finding(self, finding: Finding, is_primary: bool) -> dict[str, Any]:
        names, entry = self.names, words_of(finding)
        return {
            "code": finding.code.value,
            "severity": finding.severity.word,
            "primary": is_primary,
            "certainty": finding.certainty.value,
            "settles": words.settles(finding, is_one_reading=self.case.is_one_reading),
            "subject": subject_of(finding, self.observed),
            "lag": finding.lag,
            "figures": dict(self._told(finding).figures),
            "text": self.text_of(finding),
            "advice": self._advice_of(finding),
            "command": entry.command(finding, names),
            "change": entry.change(finding, names),
            "short": self.short if finding is self.headline else entry.short,
            "since": iso(finding.since),
            "since_is_least": finding.is_least,
            "assumed": [
                *finding.assumed,
                *(["the phase of the rebalance"] if "state" in self.observed.assumed else []),
            ],
        }


def subject_of(finding: Finding, observed: ObservedGroup) -> dict[str, list[str]]:
    """Return the names of a finding's subject: member ids, partitions and topics."""
    group = observed.snapshot
    topics = finding.topics or tuple(dict.fromkeys(group.tp_topic[list(finding.tps)].tolist()))
    return {
        "members": [group.member_id[row] for row in finding.members],
        "partitions": [tp_name(group, tp) for tp in finding.tps],
        "topics": [group.topic_name[row] for row in topics],
    }


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")


@dataclass(frozen=True)
class Context:
    """The settings and the history of a group's diagnosis.

    `cluster`, `servers`: name and addresses of the cluster, for the shown commands. `gain`: least
    gain for which a switch of assignor is advised. `ignore`: rules for ignored findings. `group`:
    client and release of the group's leader. `over_time`, `past`: findings from the group's
    history, and the history.
    """

    cluster: str | None = None
    servers: str | None = None
    gain: float = GAIN
    ignore: tuple[IgnoreRule, ...] = ()
    group: Settings = Settings()
    over_time: Sequence[Finding] = ()
    past: GroupPast = GroupPast(())

    @classmethod
    def of(
        cls,
        chosen: Configuration,
        cluster: str | None = None,
        group: Settings = Settings(),
    ) -> Self:
        """Return the context from the configuration; `cluster`: name or address of a cluster."""
        servers = cluster and profile_of(cluster).settings.get("bootstrap.servers")
        # A reference may point to a secret.
        text = servers if isinstance(servers, str) else None
        return cls(cluster, text, chosen.gain, chosen.findings.ignore, group)


def diagnosed(readings: Readings, context: Context = Context()) -> Answer:
    """Return the diagnosis of one group."""
    now = reading_of(
        readings.now, names_owners=readings.names_owners, lost_count=readings.lost_count
    )
    earlier = None
    if readings.earlier is not None:
        before = reading_of(readings.earlier, names_owners=readings.names_owners)
        earlier = earlier_of(before, now, readings.seconds)
    case = Case(now, earlier, offers_of(readings.now, context.group), context.gain)
    ignored = ignored_of(context.ignore, readings.now.group_id or readings.group_name)
    over_time = (*context.over_time, *on_rows(context.past.findings, readings.now))
    drained_by = _drained_by(case, readings.now.taken_at, context.past.outlook)
    diagnosis = diagnose(case, over_time, drained_by is not None, ignored)
    diagnosis = diagnosis.with_reason(readings.reason and cut(readings.reason, _WIDEST_REASON))
    names = Names(readings.now, readings.group_name, context.servers)
    return Answer(
        readings,
        case,
        diagnosis,
        names,
        context.cluster,
        drained_by if diagnosis.group_class == Class.RECOVER else None,
        context.group,
        context.past.avoidable,
    )


def _drained_by(case: Case, now: datetime | None, outlook: Outlook) -> datetime | None:
    """Return the time at which the group has no lag, if the rates stay the same.

    None if unknown, or if Kafka may delete unread records within twice the drain time.
    """
    seconds = math.nan if case.owner is None else case.drained_in(case.owner)
    if now is None or not math.isfinite(seconds) or outlook.is_losing:
        return None
    losses = [each for each in (outlook.expected, outlook.not_before) if each is not None]
    until = now.timestamp() + 2 * seconds
    retention = math.inf if outlook.kept is None else outlook.kept
    is_safe = outlook.is_safe and 2 * seconds + (outlook.behind or 0.0) < retention
    is_before_loss = until < min(losses) if losses else is_safe
    return now + timedelta(seconds=seconds) if is_before_loss else None


def diagnosed_start(
    result: GroupResult, gain: float = GAIN, ignore: tuple[IgnoreRule, ...] = ()
) -> Answer:
    """Return the diagnosis of a scenario's group before the first step."""
    context = Context(gain=gain, ignore=ignore, group=result.scenario.settings)
    return diagnosed(Readings(result.listed), context)
