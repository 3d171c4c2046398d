"""Rebalances and their causes, from brokers' logs and records of `__consumer_offsets`.

They can be read as rows, documents or text.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pyarrow as pa

from evenkeel.data.commands.text import printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.chains import with_owners
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.history import History, HistoryRequest, read_history
from evenkeel.data.rebalances.lines import history_text
from evenkeel.data.rebalances.live import read_cluster
from evenkeel.data.rebalances.replayed import replayed_chain
from evenkeel.data.rebalances.table import table_of
from evenkeel.data.sources.inputs import readables
from evenkeel.results import Rows


def rebalances(
    *logs: Any,
    dump: Any = None,
    cluster: str | None = None,
    group: str | None = None,
    zone: str | None = None,
    gap: float = 30.0,
) -> "Rebalances":
    r"""Read rebalances of groups: cause, time, duration and members.

    Parameters
    ----------
    logs
        Brokers' logs: paths of files (also compressed) and folders, texts, bytes and open files.
        All logs together are one history.
    dump
        Records of `__consumer_offsets`, one JSON object per line, as a path, text or open file.
    cluster : str
        A cluster of the configuration; its topic `__consumer_offsets` is read. This needs `[live]`
        and the right READ on the topic.
    zone : str
        Time zone of timestamps that have no zone, such as `Europe/Berlin`. If not given, UTC is
        assumed, and `zone_assumed` is True in each rebalance from a log.
    gap : float
        Longest time between two rebalances of the same chain, in seconds.

    Raises
    ------
    evenkeel.Error
        If nothing can be read, or no line is from a group coordinator.

    >>> import evenkeel
    >>> line = (
    ...     "[2026-11-23 15:34:13,140] INFO [GroupCoordinator 1]: "
    ...     "Stabilized group pay generation 3 with 2 members."
    ... )
    >>> rows = evenkeel.rebalances(line + "\n")
    >>> rows[0]["generation"], rows[0]["cause"], rows[0]["members"]
    (3, 'unknown', 2)
    """
    request = HistoryRequest(group, zone, round(gap * 1000))
    if not logs and dump is None and cluster is None:
        raise SnapshotError("nothing to read, expected a broker's log, dump= or cluster=")

    files, dumps = readables(logs) if logs else [], readables([dump]) if dump is not None else []
    return Rebalances(
        read_history(request, files, dumps)
        if cluster is None
        else read_cluster(cluster, request, files, dumps)
    )


class Rebalances:
    """Rebalances in order of time. A loop over this object yields documents, `print` shows a text,
    and `rows` is a table.
    """

    def __init__(self, history: History):
        self._history = history

    @property
    def rows(self) -> Rows:
        """A table with one row for each rebalance. Nested columns contain triggers, members, former
        owners, moves and evidence. The last column is the verdict of the rebalance's chain.
        """
        table = table_of(with_owners(self._history.events))
        verdicts = [self._verdicts.get(chain or "") for chain in table["chain"].to_pylist()]
        return Rows(table.append_column("verdict", pa.array(verdicts, "string")))

    @cached_property
    def _verdicts(self) -> dict[str, str]:
        return self._history.verdicts()

    def _document(self, event: Rebalance) -> dict[str, Any]:
        return event.document() | {"verdict": self._verdicts.get(event.chain or "")}

    @property
    def summary(self) -> dict[str, Any]:
        """Facts about the input: all lines, used lines, first and last time, and the time since
        which no rebalance is missing.
        """
        return self._history.summary()

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups that rebalanced."""
        return tuple(group for group, _ in self._history.groups())

    def other_settings(self, chain: str) -> list[dict[str, Any]]:
        """Replay a chain with other settings. `chain`: name of the chain, as in the field `chain`
        of a rebalance.
        """
        linked = [event for event in self._history.events if event.chain == chain]
        if not linked:
            raise SnapshotError(f'no chain "{chain}" in the input')
        events = dict(self._history.groups())[linked[0].group]
        return [event._asdict() for event in replayed_chain(events, linked)]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the documents that `evenkeel rebalances --json` prints, one for each rebalance."""
        return list(self)

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self._document(self._history.rebalances[place])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._document, self._history.events)

    def __len__(self) -> int:
        return len(self._history.events)

    def __repr__(self) -> str:
        return "\n".join(map(printable, history_text(self._history)))
