"""Sources of findings: recordings of slots, or the snapshots of a lake."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.data.episodes.answer import iso
from evenkeel.data.episodes.recordings import Recording, recording_in
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted, listed


def add_slots(parser: argparse.ArgumentParser) -> None:
    """Declare the option for recordings."""
    parser.add_argument(
        "--slots",
        metavar="FILE",
        nargs="+",
        type=Path,
        action="extend",
        default=[],
        help="recordings of slots in JSON Lines, in place of a lake",
    )


class Source(Protocol):
    """The slots of one cluster until a given time.

    `step`: seconds between two slots; None for a recording, because no new slots are expected.
    """

    name: str
    cluster: str | None
    servers: str | None
    groups: Sequence[str]
    slot_count: int
    last: float
    step: float | None
    unknown: list[str]

    def evidence_of(self, groups: Sequence[str]) -> Iterator[tuple[str, Evidence]]:
        """Yield the name and the evidence of each group."""
        ...


class _RecordingSource:
    """A recording, with its slots until `last`."""

    def __init__(self, name: str, recording: Recording, last: float | None):
        times = np.array(recording.times)
        self.slot_count = times.size if last is None else int(np.searchsorted(times, last, "right"))
        if not self.slot_count:
            raise SnapshotError(f"{name}: no slot up to {iso(last)}, the first is {iso(times[0])}")
        self.name, self.cluster, self.servers = name, recording.cluster, None
        self._recording, self.groups = recording, recording.groups
        self.last = float(times[self.slot_count - 1])
        self.step = None
        topics = sum(value is None or not value for value in recording.header.topics.values())
        self.unknown = (
            [f"retention of {counted(topics, 'topic')}: the recording has no settings"]
            if topics
            else []
        )

    def evidence_of(self, groups: Sequence[str]) -> Iterator[tuple[str, Evidence]]:
        for group in groups:
            yield group, self._recording.evidence(group).until(self.slot_count - 1)


def no_group(group: str | None, sources: Sequence[Source]) -> SnapshotError:
    """Return the error for a missing group; the message names the existing groups."""
    places = ", ".join(source.name for source in sources)
    groups = sorted({name for source in sources for name in source.groups})
    known = f", expected {listed(groups)}" if groups else ""
    return SnapshotError(
        f"no group {group} in {places}{known}" if group else f"no group in {places}"
    )


def source_of(options: argparse.Namespace, last: float | None) -> list[Source]:
    """Return the sources that a command's options name, with their slots until `last`."""
    if options.slots:
        if options.cluster or options.out:
            raise SnapshotError("--slots and a lake were given, expected one of them")
        return [_RecordingSource(str(path), recording_in(path), last) for path in options.slots]
    from evenkeel.data.episodes.stored import stored_source

    return [stored_source(options, last)]
