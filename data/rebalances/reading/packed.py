"""The rebalances of a long log, in a temporary file; memory holds a few bytes per rebalance.

packed = RebalancePack(gap_ms=30_000)
packed.add(event)
list(packed)  # in order of time, with their chains
"""

import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import get_type_hints

import msgspec
import numpy as np

from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.chains import Links
from evenkeel.data.rebalances.event import Rebalance

_NAMES = tuple(field.name for field in fields(Rebalance))
_DECODER = msgspec.msgpack.Decoder(
    tuple.__class_getitem__(tuple(get_type_hints(Rebalance)[name] for name in _NAMES))
)
_ENCODER = msgspec.msgpack.Encoder()
_NEVER = np.iinfo(np.int64).max


@contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = f"{tempfile.gettempdir()}: {error.strerror or error}"
        raise SnapshotError(
            f"{why}, expected free space for the rebalances of the log; TMPDIR sets another folder"
        ) from None


class RebalancePack:
    """Rebalances in order of time; `zone_assumed`: whether the time zone is assumed."""

    def __init__(self, gap_ms: int):
        self.zone_assumed = False
        self._gap_ms = gap_ms
        self._since: int | None = None
        with _named_errors():
            self._file = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as this object
        self._groups: dict[str, int] = {}
        self._size = 0
        self._time, self._end, self._generation, self._start = (
            array("q"),
            array("q"),
            array("q"),
            array("q"),
        )
        self._group, self._length, self._is_cut = array("i"), array("i"), array("b")

    def add(self, event: Rebalance) -> None:
        """Add a rebalance that no later message can change.

        Raises
        ------
        SnapshotError
            If the folder for temporary files has no space.
        """
        data = _ENCODER.encode([getattr(event, name) for name in _NAMES])
        with _named_errors():
            self._file.write(data)
        time = _NEVER if event.time is None else event.time
        self._time.append(time)
        self._end.append(time if event.end is None else event.end)
        self._generation.append(event.generation)
        self._group.append(self._groups.setdefault(event.group, len(self._groups)))
        self._is_cut.append(event.completed is False)
        self._start.append(self._size)
        self._length.append(len(data))
        self._size += len(data)

    def leave_out_before(self, since: int) -> None:
        """Leave out rebalances that began before the time `since`; the names of chains do not
        change.
        """
        self._since = since

    def groups(self) -> Iterator[tuple[str, list[Rebalance]]]:
        """Yield each group with its rebalances, one group after the other."""
        order, names = self._order(), list(self._groups)
        numbers = np.array(self._group, dtype=int)[order]
        by_number = np.argsort(numbers, kind="stable")
        _, begins = np.unique(numbers[by_number], return_index=True)
        for places in sorted(
            np.split(by_number, begins[1:]), key=lambda places: places[:1].tolist()
        ):
            events = list(self._read(order[places], names))
            if events:
                yield events[0].group, events

    def __iter__(self) -> Iterator[Rebalance]:
        return self._read(self._order(), list(self._groups))

    def __len__(self) -> int:
        return (
            len(self._time)
            if self._since is None
            else int((np.array(self._time) >= self._since).sum())
        )

    def _order(self) -> np.ndarray:
        ranks = (
            np.argsort(np.argsort(np.array(list(self._groups), dtype=object)))
            if self._groups
            else np.empty(0, int)
        )
        return np.lexsort(
            (
                np.array(self._generation),
                ranks[np.array(self._group, dtype=int)],
                np.array(self._time),
            )
        )

    def _read(self, order: np.ndarray, names: Sequence[str]) -> Iterator[Rebalance]:
        with _named_errors():
            self._file.flush()
        links = Links(self._gap_ms)
        for place in order.tolist():
            time = None if self._time[place] == _NEVER else self._time[place]
            end = None if self._end[place] == _NEVER else self._end[place]
            chain = links.next(
                names[self._group[place]],
                self._generation[place],
                time,
                end,
                bool(self._is_cut[place]),
            )
            if self._since is None or time is None or time >= self._since:
                yield self._one(place, chain)

    def _one(self, place: int, chain: str) -> Rebalance:
        event = Rebalance(
            *_DECODER.decode(os.pread(self._file.fileno(), self._length[place], self._start[place]))
        )
        event.chain = chain
        event.zone_assumed = self.zone_assumed
        return event
