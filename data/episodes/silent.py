"""A finding without a group: a cluster has had no stored slots for a long time."""

from typing import Any, NamedTuple

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.data.episodes.answer import SCHEMA, iso
from evenkeel.data.episodes.words import WORDS, Subject, advice, sentence

SLOTS = 3
"""A cluster is silent after this number of missing slots."""


class Silent(NamedTuple):
    """A cluster whose last slot is more than three slot intervals old.

    Times are in seconds since 1970.

    Parameters
    ----------
    name : str
        The cluster's name, or the lake if the cluster has no name.
    reason : str or None
        Why the cluster is not read, if the collector noted a reason.
    """

    cluster: str | None
    name: str
    last_slot: float
    step: float
    now: float
    reason: str | None = None

    @property
    def _subject(self) -> Subject:
        figures = {"last_slot": self.last_slot, "reason": self.reason}
        return Subject(self.name, (), (), (), figures, self.now)

    @property
    def text(self) -> str:
        return sentence(Code.SILENT, self._subject)

    def document(self) -> dict[str, Any]:
        """Return the finding as a JSON document; unknown is null."""
        words, seen = WORDS[Code.SILENT], self.last_slot + SLOTS * self.step
        return {
            "schema": SCHEMA,
            "id": f"{self.name}/{Code.SILENT.value}",
            "cluster": self.cluster,
            "group": None,
            "code": Code.SILENT.value,
            "severity": Severity.WARNING.word,
            "since": iso(self.last_slot),
            "since_is_least": False,
            "seen": iso(seen),
            "until": None,
            "told": iso(seen),
            "subject": {"topics": [], "partitions": [], "members": []},
            "figures": {"last_slot": iso(self.last_slot), "reason": self.reason},
            "because": None,
            "folded_into": None,
            "assumed": [],
            "text": self.text,
            "advice": advice(Code.SILENT, self._subject),
            "command": None,
            "change": None,
            "short": words.short,
            "link": None,
        }


def silent(
    cluster: str | None,
    name: str,
    last_slot: float,
    step: float | None,
    now: float,
    reason: str | None = None,
) -> Silent | None:
    """Return a finding if three or more slots are missing between the last slot and `now`."""
    if step is None or now - last_slot <= SLOTS * step:
        return None
    return Silent(cluster, cluster or name, last_slot, step, now, reason)
