"""Ledger: the sent alerts of a rule in a cluster. Each step is a file that is created only once.

`-start` and `-end` are intents: they are created before the message is sent. A second file with
`-sent`, `-refused` or `-given-up` after the intent's name contains the result. If a process is
killed before the result, the next process sends the message again with the same key. Only
`repeated` is overwritten: it has the time when open findings were last sent again.
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
    """A message about one finding; `finding`: its document, `made`: creation, seconds since
    1970.
    """

    finding: dict[str, Any]
    made: float


@dataclass(frozen=True)
class Entry:
    """One message to send, and its result; `key`: lets a receiver detect a repeated message."""

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
        """Create an intent. An existing intent is not changed."""
        self._lake.create(self._path(episode, step), msgspec.json.encode(intent))

    def settle(self, entry: Entry, outcome: str, reason: str = "") -> None:
        """Store the result of a message and its reason."""
        self._lake.create(f"{self._path(entry.episode, entry.step)}-{outcome}", reason.encode())

    def intent(self, entry: Entry) -> Intent:
        """Read an intent."""
        text = self._lake.read(self._path(entry.episode, entry.step))
        return msgspec.json.decode(text, type=Intent)

    def reason(self, entry: Entry) -> str:
        """Return the reason why a message was refused or given up."""
        path = self._path(entry.episode, entry.step)
        return self._lake.read(f"{path}-{entry.outcome}").decode()

    def repeated(self) -> float | None:
        """Return when open findings were last sent again, seconds since 1970; None if never."""
        try:
            return msgspec.json.decode(self._lake.read(f"{self._folder}/{_REPEATED}"), type=float)
        except FileNotFoundError:
            return None

    def note_repeated(self, at: float) -> None:
        """Store when open findings were sent again."""
        self._lake.write(f"{self._folder}/{_REPEATED}", msgspec.json.encode(at))

    def entries(self) -> list[Entry]:
        """Return all messages, in the order of their episodes."""
        names = set(self._lake.names(self._folder))
        return [
            self._entry(name, names)
            for name in sorted(names)
            if name.endswith((f"-{START}", f"-{END}"))
        ]

    def open_episodes(self) -> dict[str, str]:
        """Return the name of each episode without an end, by the id of its finding."""
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
    """Return the name of an episode: the id of its finding and its first slot."""
    return f"{quote(finding_id, safe='')}@{datetime.fromtimestamp(seen, UTC):%Y%m%dT%H%M%SZ}"


def finding_of(episode: str) -> str:
    """Return the quoted id of a finding from the name of its episode."""
    return episode.rpartition("@")[0]


def quoted(finding_id: str) -> str:
    """Return the id of a finding, quoted as in the names of its episodes."""
    return quote(finding_id, safe="")


def _open_starts(lake: Place, cluster: str) -> Iterator[tuple[Ledger, Entry]]:
    for folder in lake.names(f"{FOLDER}/{slug_of(cluster)}"):
        ledger = Ledger(lake, cluster, unquote(folder))
        still_open = set(ledger.open_episodes().values())
        for entry in ledger.entries():
            if entry.step == START and entry.episode in still_open:
                yield ledger, entry


def sent_starts(lake: Place, cluster: str) -> dict[str, float]:
    """Return when the first message about each group was made, seconds since 1970.

    Only open episodes and sent messages count.
    """
    made: dict[str, float] = {}
    for ledger, entry in _open_starts(lake, cluster):
        if entry.outcome == SENT:
            intent = ledger.intent(entry)
            group = intent.finding["group"]
            made[group] = min(intent.made, made.get(group, intent.made))
    return made


def failed_starts(lake: Place, cluster: str) -> dict[str, str]:
    """Return why a message about each group was refused or given up; only open episodes count."""
    return {
        ledger.intent(entry).finding["group"]: ledger.reason(entry)
        for ledger, entry in _open_starts(lake, cluster)
        if entry.outcome in (REFUSED, GIVEN_UP)
    }


def status_rows(lake: Place) -> list[dict[str, Any]]:
    """Return a row for each rule in each cluster: counts of messages and open episodes, and
    failures.
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
