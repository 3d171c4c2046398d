"""The difference of two assignments as tables: by partition, by pair of members, by member."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.figures.load import Load
from evenkeel.assignors.group.lag import total_lag
from evenkeel.dashboard.tables.columns import known_lag, owners, partition_names, where_known
from evenkeel.dashboard.view import Change, View
from evenkeel.dashboard.words.names import NO_OWNER

UNKNOWN = "Lag unknown"
"""Heads the number of partitions whose lag is unknown: the lag beside it is a lower bound."""

KINDS = ("Moved", "Kept", "Previously unowned", "Left unowned", "All")
"""Not added and revoked: these words are about one member, and partitions of other members are added to it too."""


def rows_of(change: Change, kind: str) -> np.ndarray:
    """Return the rows of `change.pairs` of one kind, most lag first, unknown lag last; ties by topic and partition."""
    giver, getter = change.pairs.from_member, change.pairs.to_member
    chosen = {
        "Kept": giver == getter,
        "Previously unowned": giver == UNASSIGNED,
        "Left unowned": getter == UNASSIGNED,
        "Moved": (giver != getter) & (giver != UNASSIGNED) & (getter != UNASSIGNED),
        "All": np.ones(len(giver), dtype=bool),
    }
    rows = np.flatnonzero(chosen[kind])
    return rows[np.argsort(-change.lag[rows], kind="stable")]


def by_partition(view: View, change: Change, rows: np.ndarray) -> pd.DataFrame:
    """Return partition, owners, lag and its share of all known lag in percent; unknown is null."""
    pairs = change.pairs
    return pd.DataFrame(
        {
            "Partition": partition_names(view.comparison.group, pairs.topic[rows], pairs.partition[rows]),
            "From": owners(view.names, pairs.from_member[rows]),
            "To": owners(view.names, pairs.to_member[rows]),
            "Lag, records": known_lag(change.lag[rows]),
            "Share of known lag": lag_share(change, rows),
        }
    )


def lag_share(change: Change, rows: np.ndarray) -> pd.Series:
    """Return the share of each row in all known lag, in percent; unknown is null."""
    total, lag = total_lag(change.lag), known_lag(change.lag[rows]).astype("Float64")
    return 100 * lag / total if total else pd.Series(pd.NA, index=lag.index, dtype="Float64")


def by_pair(view: View, change: Change) -> pd.DataFrame:
    """Return partitions and known lag that go from one member to another, most lag first; unknown lags are counted if there are any."""
    return _needed(pairs_of(change, [*view.names, NO_OWNER]))


def pairs_of(change: Change, names: Sequence[str]) -> pd.DataFrame:
    """Return the columns of `by_pair` and the count of unknown lags; `names`: one for each member, the last one for no owner."""
    flows = change.moves.flows()
    frame = pd.DataFrame(
        {
            # UNASSIGNED is -1, the place of the last name.
            "From": [names[member] for member in flows.from_member],
            "To": [names[member] for member in flows.to_member],
            "Partitions": flows.load.partition_count,
            "Lag, records": _lag_of(flows.load),
            UNKNOWN: flows.load.unknown_lag_count,
        }
    )
    return frame.sort_values(["Lag, records", "Partitions", "From", "To"], ascending=[False, False, True, True], ignore_index=True)


def by_member(view: View, change: Change) -> pd.DataFrame:
    """Return partitions and known lag of each member before, added, revoked and after; unknown lags are counted if there are any.

    after = before + added - revoked
    """
    return _needed(members_of(view, change, view.names))


def members_of(view: View, change: Change, names: Sequence[str]) -> pd.DataFrame:
    """Return the columns of `by_member` and the counts of unknown lags."""
    kept, added, revoked = change.moves.retained, change.moves.added, change.moves.revoked
    loads = {"before": _both(kept, revoked), "added": added, "revoked": revoked, "after": _both(kept, added)}
    columns = {"Member": [names[member] for member in view.order]}
    columns |= {f"Partitions {word}": load.partition_count[view.order] for word, load in loads.items()}
    columns |= {f"Lag {word}": _lag_of(load)[view.order].array for word, load in loads.items()}
    columns |= {f"{UNKNOWN} {word}": load.unknown_lag_count[view.order] for word, load in loads.items()}
    return pd.DataFrame(columns)


def _needed(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out the counts of unknown lags if every lag is known."""
    counts = [name for name in frame if name.startswith(UNKNOWN)]
    return frame if frame[counts].any(axis=None) else frame.drop(columns=counts)


def _both(one: Load, other: Load) -> Load:
    return Load(*(first + second for first, second in zip(one, other, strict=True)))


def _lag_of(load: Load) -> pd.Series:
    """Return the known lag of each row, null if it has partitions and the lag of each is unknown."""
    known = (load.partition_count == 0) | (load.unknown_lag_count < load.partition_count)
    return where_known(load.lag, known)
