"""Ledger: files about the alerts that a rule has sent in a cluster.

An episode is one occurrence of a finding. Before a message is sent, its file is created:
`EPISODE-start` or `EPISODE-end`. After the message, a second file stores the result; its name is
the first name plus `-sent`, `-refused` or `-given-up`. If there is no second file because the
process was killed, the next process sends the message again with the same key. These files never
change. Only the file `repeated` is overwritten: it contains the time of the last reminder about
open findings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of

FOLDER = "history/alerts"
START, END = "start", "end"
SENT, REFUSED, GIVEN_UP = "sent", "refused", "given-up"
_REPEATED = "repeated"
_OUTCOMES = (SENT, REFUSED, GIVEN_UP)


class Intent(msgspec.Struct, frozen=True):
    """The stored content of a message about one finding.

    `finding`: the finding as JSON. `made`: time of the message's creation, seconds since 1970.
    """

    finding: dict[str, Any]
    made: float


@dataclass(frozen=True)
class Entry:
    """One message. `outcome`: the result of sending the message, None before there is a result.

    `key`: the same for each attempt, so that a receiver can ignore repeated messages.
    """

    episode: str
    step: str
    key: str
    outcome: str | None


class Ledger:
    """The files of one rule in one cluster."""

    def __init__(self, lake: Place, cluster: str, rule: str):
        self._lake, self._rule = lake, rule
        self._folder = f"{FOLDER}/{slug_of(cluster)}/{quote(rule, safe='')}"

    def intend(self, episode: str, step: str, intent: Intent) -> None:
        """Store a message before it is sent. A stored message is not changed."""
        self._lake.create(self._path(episode, step), msgspec.json.encode(intent))

    def settle(self, entry: Entry, outcome: str, reason: str = "") -> None:
        """Store the result of a message and the reason for the result."""
        self._lake.create(f"{self._path(entry.episode, entry.step)}-{outcome}", reason.encode())

    def intent(self, entry: Entry) -> Intent:
        """Read the stored content of a message."""
        text = self._lake.read(self._path(entry.episode, entry.step))
        return msgspec.json.decode(text, type=Intent)

    def reason(self, entry: Entry) -> str:
        """Return the reason why a message was refused or given up."""
        path = self._path(entry.episode, entry.step)
        return self._lake.read(f"{path}-{entry.outcome}").decode()

    def repeated(self) -> float | None:
        """Return the time of the last reminder about open findings, seconds since 1970; None if
        there was no reminder.
        """
        try:
            return msgspec.json.decode(self._lake.read(f"{self._folder}/{_REPEATED}"), type=float)
        except FileNotFoundError:
            return None

    def note_repeated(self, at: float) -> None:
        """Store the time of the last reminder about open findings."""
        self._lake.write(f"{self._folder}/{_REPEATED}", msgspec.json.encode(at))

    def entries(self) -> list[Entry]:
        """Return all messages, sorted by the name of the episode."""
        names = set(self._lake.names(self._folder))
        return [
            self._entry(name, names)
            for name in sorted(names)
            if name.endswith((f"-{START}", f"-{END}"))
        ]

    def open_episodes(self) -> dict[str, str]:
        """Return the episodes that have not ended. Key: id of the finding, quoted as in a URL.
        Value: name of the episode.
        """
        entries = self.entries()
        ended = {entry.episode for entry in entries if entry.step == END}
        return {
            finding_of(entry.episode): entry.episode
            for entry in entries
            if entry.step == START and entry.episode not in ended
        }

    def _entry(self, name: str, names: set[str]) -> Entry:
        episode, _, step = name.rpartition("-")
        outcomes = [each for each in _OUTCOMES if f"{name}-{each}" in names]
        return Entry(episode, step, f"{self._rule}/{name}", outcomes[0] if outcomes else None)

    def _path(self, episode: str, step: str) -> str:
        return f"{self._folder}/{episode}-{step}"


def episode_of(finding_id: str, seen: float) -> str:
    """Return the name of an episode: the id of the finding, quoted as in a URL, and the time of the
    first slot, `seen`.
    """
    return f"{quote(finding_id, safe='')}@{datetime.fromtimestamp(seen, UTC):%Y%m%dT%H%M%SZ}"


def finding_of(episode: str) -> str:
    """Return the id of the finding, quoted as in a URL, from the name of an episode."""
    return episode.rpartition("@")[0]


def quoted(finding_id: str) -> str:
    """Return the id of a finding, quoted as in a URL."""
    return quote(finding_id, safe="")


def _open_starts(lake: Place, cluster: str) -> Iterator[tuple[Ledger, Entry]]:
    for folder in lake.names(f"{FOLDER}/{slug_of(cluster)}"):
        ledger = Ledger(lake, cluster, unquote(folder))
        still_open = set(ledger.open_episodes().values())
        for entry in ledger.entries():
            if entry.step == START and entry.episode in still_open:
                yield ledger, entry


def sent_starts(lake: Place, cluster: str) -> dict[str, float]:
    """Return for each group the time of the oldest sent message about an open finding.

    Times are seconds since 1970.
    """
    made: dict[str, float] = {}
    for ledger, entry in _open_starts(lake, cluster):
        if entry.outcome == SENT:
            intent = ledger.intent(entry)
            group = intent.finding["group"]
            made[group] = min(intent.made, made.get(group, intent.made))
    return made


def failed_starts(lake: Place, cluster: str) -> dict[str, str]:
    """Return for each group why a message about an open finding was refused or given up."""
    return {
        ledger.intent(entry).finding["group"]: ledger.reason(entry)
        for ledger, entry in _open_starts(lake, cluster)
        if entry.outcome in (REFUSED, GIVEN_UP)
    }


def status_rows(lake: Place) -> list[dict[str, Any]]:
    """Return a row for each rule in each cluster.

    `sent`: number of sent messages. `waiting`: number of messages without a result. `open`: number
    of open findings that were reported. `failed`: messages that could not be sent.
    """
    rows = []
    for cluster in lake.names(FOLDER):
        for folder in lake.names(f"{FOLDER}/{cluster}"):
            rule = unquote(folder)
            ledger = Ledger(lake, cluster, rule)
            entries = ledger.entries()
            failed = [each for each in entries if each.outcome in (REFUSED, GIVEN_UP)]
            rows.append(
                {
                    "schema": "evenkeel.alert-status/1",
                    "cluster": cluster,
                    "rule": rule,
                    "sent": sum(each.outcome == SENT for each in entries),
                    "open": len(ledger.open_episodes()),
                    "waiting": sum(each.outcome is None for each in entries),
                    "failed": [
                        {
                            "finding": unquote(finding_of(each.episode)),
                            "step": each.step,
                            "outcome": each.outcome,
                            "reason": ledger.reason(each),
                        }
                        for each in failed
                    ],
                }
            )
    return rows
