"""What the Moves list shows, as CSV: every row, member ids in full, unknown empty, and no cell that begins like a spreadsheet's formula."""

import numpy as np
import pandas as pd

from dashboard.tables import moves
from dashboard.tables.columns import known_lag
from dashboard.view import Change, View

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PARTITIONS = ["topic", "partition", "from_member", "to_member", "lag", "lag_share_percent"]
_UNKNOWN = "lag_unknown_partitions"
_PAIRS = ["from_member", "to_member", "partitions", "lag", _UNKNOWN]
_SIDES = ("before", "added", "revoked", "after")
_MEMBERS = ["member", *(f"{what}_{side}" for what in ("partitions", "lag", _UNKNOWN) for side in _SIDES)]


def partitions_csv(view: View, change: Change, rows: np.ndarray) -> str:
    """Return rows of `change.pairs` with their owners and their lag; a cell without an owner is empty."""
    pairs = change.pairs
    names = np.array([*_names(view), ""], dtype=object)
    topics = np.array([_harmless(name) for name in view.comparison.group.topic_name], dtype=object)
    lag, share = known_lag(change.lag[rows]), moves.lag_share(change, rows).round(4)
    # UNASSIGNED is -1, the place of nobody's empty name.
    columns = (topics[pairs.topic[rows]], pairs.partition[rows], names[pairs.from_member[rows]], names[pairs.to_member[rows]], lag, share)
    return _csv(pd.DataFrame(dict(zip(_PARTITIONS, columns, strict=True))), _PARTITIONS)


def pairs_csv(view: View, change: Change) -> str:
    """Return who gives how much to whom; nobody is an empty cell."""
    return _csv(moves.pairs_of(change, [*_names(view), ""]), _PAIRS)


def members_csv(view: View, change: Change) -> str:
    """Return what each member has before and after."""
    return _csv(moves.members_of(view, change, _names(view)), _MEMBERS)


def _names(view: View) -> list[str]:
    return [_harmless(name) for name in view.comparison.group.member_id]


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name


def _csv(frame: pd.DataFrame, columns: list[str]) -> str:
    return frame.set_axis(columns, axis=1).to_csv(index=False, lineterminator="\r\n")
