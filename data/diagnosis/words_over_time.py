"""The texts for causes that come from a group's history.

They are the texts of findings over time, with the names of the group's latest reading.
"""

from evenkeel.assignors.diagnosis.finding import Code, Finding
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.data.diagnosis.phrases import Names, Words
from evenkeel.data.episodes import words

OVER_TIME = "over_time"
"""The detail that marks a finding as coming from a history."""


def _subject(finding: Finding, names: Names) -> words.Subject:
    """Return the subject of a finding, with names in place of row numbers."""
    group, at = names.observed.snapshot, names.observed.taken_at
    topics = finding.topics or tuple(dict.fromkeys(group.tp_topic[list(finding.tps)].tolist()))
    because = finding.detail.get("because")
    return words.Subject(
        group=names.group_id or "GROUP",
        partitions=tuple(tp_name(group, tp) for tp in finding.tps),
        topics=tuple(group.topic_name[row] for row in topics),
        members=tuple(names.name_and_host(row)[0] for row in finding.members),
        figures={**finding.figures, **finding.detail},
        now=None if at is None else at.timestamp(),
        because=Code(because) if isinstance(because, str) else None,
        retention=finding.detail.get("retention"),
        servers=names.servers,
        assumed=finding.assumed,
        width=names.width,
        most=names.most,
    )


def _of(entry: words.Words) -> Words:
    return Words(
        entry.short,
        lambda finding, names: entry.sentence(_subject(finding, names)),
        lambda finding, names: entry.advice(_subject(finding, names)),
        lambda finding, names: entry.command(_subject(finding, names)),
        lambda finding, names: entry.change(_subject(finding, names)),
    )


WORDS = {code: _of(entry) for code, entry in words.WORDS.items()}
"""By code."""
