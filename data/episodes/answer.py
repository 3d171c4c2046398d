"""Findings over time with names, as sentences and as JSON: for commands, metrics and messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import numpy as np

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.episodes import Episode, GroupJudgement
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.settings import MEANINGS, Rule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.words import WORDS, Subject, advice, sentence
from evenkeel.data.text.formats import counted

SCHEMA = "evenkeel.finding/1"

_MOMENTS = ("expected", "not_before", "latest", "owner_since", "last_member_seen")


@dataclass(frozen=True)
class Finding:
    """A finding over time of one group: an episode with names.

    Parameters
    ----------
    now : float
        Time of the last slot, in seconds since 1970.
    because : Code or None
        The cause of a loss of records, if the cause still exists.
    """

    cluster: str | None
    episode: Episode
    subject: Subject
    now: float

    @property
    def group(self) -> str:
        return self.subject.group

    @property
    def code(self) -> Code:
        return self.episode.code

    @property
    def id(self) -> str:
        """The finding's id; it does not depend on the time and the members."""
        return self._id_of(self.episode.rule)

    @property
    def is_open(self) -> bool:
        return self.episode.until is None

    @property
    def is_shown(self) -> bool:
        """Whether the finding has its own line, because it is not folded into another finding."""
        return self.episode.folded_into is None

    @property
    def is_warning(self) -> bool:
        """Whether the severity is warning or critical."""
        return self.episode.severity >= Severity.WARNING

    @cached_property
    def text(self) -> str:
        return sentence(self.code, self.subject)

    def _id_of(self, rule: Rule) -> str:
        return "/".join([*([self.cluster] if self.cluster else []), self.group, rule.value])

    def document(self) -> dict[str, Any]:
        """Return the finding as a JSON document; unknown is null."""
        episode, subject, words = self.episode, self.subject, WORDS[self.code]
        folded = episode.folded_into
        return {
            "schema": SCHEMA,
            "id": self.id,
            "cluster": self.cluster,
            "group": self.group,
            "code": self.code.value,
            "severity": episode.severity.word,
            "since": iso(episode.since),
            "since_is_least": episode.is_least,
            "seen": iso(episode.seen),
            "until": iso(episode.until),
            "told": iso(episode.reported),
            "subject": {
                "topics": list(subject.topics),
                "partitions": list(subject.partitions),
                "members": list(subject.members),
            },
            "figures": _figures(episode),
            "because": None if subject.because is None else subject.because.value,
            "folded_into": None if folded is None else self._id_of(folded),
            "assumed": list(episode.assumed),
            "text": self.text,
            "advice": advice(self.code, subject),
            "command": words.command(subject),
            "change": words.change(subject),
            "short": words.short,
            "link": self._link(),
        }

    def _link(self) -> str:
        until = self.now if self.episode.until is None else self.episode.until
        cluster = {"cluster": self.cluster} if self.cluster else {}
        moments = {"from": iso(self.episode.since), "to": iso(until)}
        return f"timeline?{urlencode({**cluster, 'group': self.group, **moments})}"


def findings_of(
    evidence: Evidence,
    group: str,
    settings: FindingSettings,
    cluster: str | None = None,
    servers: str | None = None,
) -> list[Finding]:
    """Return the open and the past findings of a group, up to the last slot."""
    return GroupFindings(evidence, group, settings, cluster, servers).until(settings)


class GroupFindings:
    """The findings of one group, computed once for all alert rules and all times."""

    def __init__(
        self,
        evidence: Evidence,
        group: str,
        settings: FindingSettings,
        cluster: str | None = None,
        servers: str | None = None,
    ):
        self._evidence, self._group, self._cluster = evidence, group, cluster
        self._servers, self.judged = servers, GroupJudgement(evidence, settings.of_group(group))

    @staticmethod
    def unjudged(lacks_slots: Sequence[int]) -> list[str]:
        """Return a line with the number of groups that have too few slots to find stalls.

        `lacks_slots`: needed number of slots of each group; 0 if the group has enough slots.
        """
        short = [each for each in lacks_slots if each]
        if not short:
            return []
        return [f"stalls of {counted(len(short), 'group')}: fewer than {max(short):,} slots"]

    def until(self, settings: FindingSettings, last: int | None = None) -> list[Finding]:
        """Return the findings up to slot number `last`; None is the last slot.

        `settings` may differ from the settings of this object only in `patience` and
        `resolve_after`.
        """
        series = self._evidence.series
        if not series.slot_count:
            return []
        every = self.judged.episodes(settings.of_group(self._group), last)
        code_of = {each.rule: each.code for each in every}
        now = float(series.time[-1 if last is None else last])
        # At most one episode of each rule is open, and it is the last in the list.
        return [
            Finding(
                self._cluster,
                each,
                _subject(self._evidence, self._group, each, code_of, self._servers),
                now,
            )
            for each in every
        ]


def _subject(
    evidence: Evidence,
    group: str,
    episode: Episode,
    code_of: dict[Rule, Code],
    servers: str | None,
) -> Subject:
    series = evidence.series
    topics = np.unique(series.topic[list(episode.tps)]).tolist()
    because = episode.because
    if because is not None:
        cause = code_of.get(because, MEANINGS[because].codes[0])
    return Subject(
        group=group,
        partitions=tuple(series.tp_name(tp) for tp in episode.tps),
        topics=tuple(series.topic_name[topic] for topic in topics),
        members=episode.members,
        figures=episode.figures,
        now=float(series.time[episode.last_row]),
        because=None if because is None else cause,
        retention=evidence.retention[topics[0]] if topics else None,
        servers=servers,
        assumed=episode.assumed,
    )


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, then by start."""
    return sorted(findings, key=lambda each: (-each.episode.severity, each.episode.since, each.id))


def iso(moment: float | None) -> str | None:
    """Return seconds since 1970 as a time in JSON; None if unknown."""
    if moment is None:
        return None
    text = datetime.fromtimestamp(round(moment, 3), UTC).isoformat(timespec="milliseconds")
    return text.replace(".000+00:00", "Z").replace("+00:00", "Z")


def _figures(episode: Episode) -> dict[str, Any]:
    figures = dict(episode.figures)
    for name in _MOMENTS:
        if name in figures:
            figures[name] = iso(figures[name])
    if figures.get("band") is not None:
        figures["band"] = [iso(moment) for moment in figures["band"]]
    return figures
