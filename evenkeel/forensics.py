"""Why groups rebalanced: rebalances of brokers' logs and of records, as rows, documents and
text.
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
    """Read why groups rebalanced, when, how long and who.

    Parameters
    ----------
    logs
        Brokers' logs: paths of files (packed ones too) and folders, texts, bytes and open files.
        All of them are one history.
    dump
        Records of `__consumer_offsets`, one JSON object a line, as a path, a text or an open file.
    cluster : str
        A cluster of the configuration whose topic `__consumer_offsets` is read; it needs `[live]`
        and the right READ on the topic.
    zone : str
        The zone of times that name none, such as `Europe/Berlin`. UTC is assumed without it, and
        each rebalance says so.
    gap : float
        Seconds without a rebalance that end a chain.

    Raises
    ------
    evenkeel.Error
        If nothing can be read, or no line is a group coordinator's.

    >>> import evenkeel
    >>> line = (
    ...     "[2026-11-23 15:34:13,140] INFO [GroupCoordinator 1]: "
    ...     "Stabilized group pay generation 3 with 2 members."
    ... )
    >>> found = evenkeel.rebalances(line + "\\n")
    >>> found[0]["generation"], found[0]["cause"], found[0]["members"]
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
    """Rebalances in order of time: go through them as documents, `print` them, or take `rows` as a
    DataFrame.
    """

    def __init__(self, history: History):
        self._found = history

    @property
    def rows(self) -> Rows:
        """One row for each rebalance, with nested columns for triggers, members, owners before it,
        moves and evidence; the last column is the verdict of its chain.
        """
        table = table_of(with_owners(self._found.events))
        verdicts = [self._verdicts.get(chain or "") for chain in table["chain"].to_pylist()]
        return Rows(table.append_column("verdict", pa.array(verdicts, "string")))

    @cached_property
    def _verdicts(self) -> dict[str, str]:
        return self._found.verdicts()

    def _document(self, event: Rebalance) -> dict[str, Any]:
        return event.document() | {"verdict": self._verdicts.get(event.chain or "")}

    @property
    def summary(self) -> dict[str, Any]:
        """What was read: lines, how many were used, from when to when, and since when nothing is
        missing.
        """
        return self._found.summary()

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups that rebalanced."""
        return tuple(group for group, _ in self._found.groups())

    def other_settings(self, chain: str) -> list[dict[str, Any]]:
        """Return a chain, named by the key `chain` of its rebalances, replayed with other
        settings.
        """
        linked = [event for event in self._found.events if event.chain == chain]
        if not linked:
            raise SnapshotError(f'no chain "{chain}" in the input')
        events = dict(self._found.groups())[linked[0].group]
        return [event._asdict() for event in replayed_chain(events, linked)]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the documents that `evenkeel rebalances --json` writes."""
        return list(self)

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self._document(self._found.rebalances[place])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._document, self._found.events)

    def __len__(self) -> int:
        return len(self._found.events)

    def __repr__(self) -> str:
        return "\n".join(map(printable, history_text(self._found)))
