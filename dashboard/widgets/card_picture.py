"""A picture 76 pixels high out of CSS boxes: members' loads now and with an assignor, or just the members where they are many."""

import numpy as np

from assignors.balance import Balance
from dashboard.formats import count
from dashboard.loading import View

_MOST_BARS = 12
_MOST_BOXES = 60


def picture(view: View, assignor: str) -> str:
    """Return the HTML of the picture; it repeats figures of the comparison and says nothing of its own."""
    if len(view.names) > _MOST_BARS:
        boxes = min(len(view.names), _MOST_BOXES)
        each = count(round(len(view.names) / boxes), "member")
        return f'<div class="mini boxes" aria-hidden="true">{"<i></i>" * boxes}</div><span class="note">a box is {each}</span>'
    current, candidate = (next(row.balance for row in view.comparison.rows if row.name == name) for name in (view.comparison.rows[0].name, assignor))
    now, after = (_loads(side, current.has_lag)[view.order] for side in (current, candidate))
    high = max(float(now.max(initial=0)), float(after.max(initial=0)), 1.0)
    fair = 100 * float(now.mean()) / high if len(now) else 0
    idle = [side.partition_count[view.order] == 0 for side in (current, candidate)]
    bars = "".join(f"<span>{_bar(a, high, 'now', c)}{_bar(b, high, 'after', d)}</span>" for a, b, c, d in zip(now, after, *idle, strict=True))
    return f'<div class="mini" aria-hidden="true" style="--fair:{fair:.0f}%">{bars}</div>'


def _loads(balance: Balance, by_lag: bool) -> np.ndarray:
    return balance.lag if by_lag else balance.partition_count


def _bar(value: float, high: float, side: str, idle: bool) -> str:
    return f'<i class="{side} idle"></i>' if idle else f'<i class="{side}" style="height:{100 * value / high:.0f}%"></i>'
