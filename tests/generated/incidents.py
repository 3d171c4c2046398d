"""Recordings of slots in which the truth is written first: offsets and owners are functions of the
time.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evenkeel.data.episodes.recordings import Recording, recording_in

T0 = 1_795_000_000
KEEPS = {
    "cleanup.policy": "delete",
    "retention.ms": "604800000",
    "retention.bytes": "-1",
    "segment.ms": "604800000",
    "segment.bytes": "1073741824",
}
"""Kafka's defaults."""


def _nobody(time: float) -> str | None:
    return None


def _zero(time: float) -> float:
    return 0


@dataclass(frozen=True)
class Partition:
    """Functions of seconds; `commit` and `end` may return None for unknown. The last stable offset
    is the end if it is not given.
    """

    end: Callable
    commit: Callable
    owner: Callable = _nobody
    begin: Callable = _zero
    stable: Callable | None = None
    leader: Callable = lambda time: 1


@dataclass(frozen=True)
class Incident:
    """One group of classic members, each of which is its own client; `members` and `subscribed` are
    functions of seconds, the latter of a member too; `identity`: the member id.
    """

    partitions: dict[str, Partition]
    members: Callable
    subscribed: Callable = lambda time, member: ["a"]
    topics: dict = field(default_factory=lambda: {"a": KEEPS})
    every: float = 5.0
    state: Callable = lambda time: "Stable"
    identity: Callable = lambda time, member: f"{member}-id"

    def lines(self, count: int, missing: Sequence[int] = ()) -> list[dict]:
        """Return the header and so many slots, without the missing ones."""
        header = {
            "kind": "header",
            "schema": "evenkeel.incident/1",
            "incident": "test",
            "t0": T0,
            "every": self.every,
            "groups": ["g"],
            "topics": self.topics,
            "check_interval_ms": 2000,
        }
        return [header, *(self._slot(n * self.every) for n in range(count) if n not in missing)]

    def write(self, path: Path, count: int = 90, missing: Sequence[int] = ()) -> Path:
        """Write the recording."""
        path.write_text("".join(json.dumps(each) + "\n" for each in self.lines(count, missing)))
        return path

    def recorded(self, folder: Path, count: int = 90, missing: Sequence[int] = ()) -> Recording:
        """Return the recording as it is read from a file."""
        return recording_in(self.write(folder / "slots.jsonl", count, missing))

    def _slot(self, time: float) -> dict:
        here = self.members(time)
        owned = {name: each.owner(time) for name, each in self.partitions.items()}
        members = [
            [
                self.identity(time, name),
                name,
                None,
                self.subscribed(time, name),
                [tp for tp, owner in owned.items() if owner == name],
            ]
            for name in here
        ]
        commits = {tp: _whole(each.commit(time)) for tp, each in self.partitions.items()}
        return {
            "t": time,
            "p": {tp: self._offsets(each, time) for tp, each in self.partitions.items()},
            "g": {
                "g": {
                    "type": "classic",
                    "state": self.state(time),
                    "c": {tp: offset for tp, offset in commits.items() if offset is not None},
                    "m": members,
                }
            },
        }

    def _offsets(self, each: Partition, time: float) -> list:
        end = _whole(each.end(time))
        stable = end if each.stable is None else _whole(each.stable(time))
        begin = None if end is None else _whole(each.begin(time))
        return [begin, end, stable, each.leader(time)]


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
