"""The list of Moves as CSV: every row, full member ids, empty cells for unknown, and no cell that a spreadsheet takes for a formula."""

import numpy as np
import pandas as pd

from evenkeel.dashboard.tables import moves
from evenkeel.dashboard.tables.columns import known_lag
from evenkeel.dashboard.tables.csv_cells import harmless
from evenkeel.dashboard.view import Change, View

_PARTITIONS = ["topic", "partition", "from_member", "to_member", "lag", "lag_share_percent"]
_UNKNOWN = "lag_unknown_partitions"
_PAIRS = ["from_member", "to_member", "partitions", "lag", _UNKNOWN]
_SIDES = ("before", "added", "revoked", "after")
_MEMBERS = ["member", *(f"{what}_{side}" for what in ("partitions", "lag", _UNKNOWN) for side in _SIDES)]


def partitions_csv(view: View, change: Change, rows: np.ndarray) -> str:
    """Return rows of `change.pairs` with owners and lag; the cell of a missing owner is empty."""
    pairs = change.pairs
    names = np.array([*_names(view), ""], dtype=object)
    topics = np.array([harmless(name) for name in view.comparison.group.topic_name], dtype=object)
    lag, share = known_lag(change.lag[rows]), moves.lag_share(change, rows).round(4)
    # UNASSIGNED is -1, the place of the empty name.
    columns = (topics[pairs.topic[rows]], pairs.partition[rows], names[pairs.from_member[rows]], names[pairs.to_member[rows]], lag, share)
    return _csv(pd.DataFrame(dict(zip(_PARTITIONS, columns, strict=True))), _PARTITIONS)


def pairs_csv(view: View, change: Change) -> str:
    """Return partitions and lag that go from one member to another; the cell of a missing owner is empty."""
    return _csv(moves.pairs_of(change, [*_names(view), ""]), _PAIRS)


def members_csv(view: View, change: Change) -> str:
    """Return partitions and lag of each member before and after."""
    return _csv(moves.members_of(view, change, _names(view)), _MEMBERS)


def _names(view: View) -> list[str]:
    return [harmless(name) for name in view.comparison.group.member_id]


def _csv(frame: pd.DataFrame, columns: list[str]) -> str:
    return frame.set_axis(columns, axis=1).to_csv(index=False, lineterminator="\r\n")
