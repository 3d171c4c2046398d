"""A picture of CSS boxes, 76 pixels high: lag or partitions per member, now and under an assignor; many members are only counted."""

import numpy as np

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard.view import View
from evenkeel.data.scenarios.examples.worked_examples import WorkedExample
from evenkeel.data.words.formats import count

_MOST_BARS = 12
_MOST_BOXES = 60


def picture(view: View, example: WorkedExample) -> str:
    """Return the HTML of the picture and of the line below it; all figures come from the comparison."""
    return _boxes(len(view.names)) if len(view.names) > _MOST_BARS else _bars(view, example)


def _boxes(members: int) -> str:
    boxes = min(members, _MOST_BOXES)
    return _drawn("boxes", "<i></i>" * boxes, f"a box is {count(round(members / boxes), 'member')}")


def _bars(view: View, example: WorkedExample) -> str:
    current = view.comparison.rows[0]
    candidate = next(row for row in view.comparison.rows if row.name == example.assignor)
    sides = [row.balance for row in (current, candidate)]
    now, after = (_loads(side, example.by_lag)[view.order] for side in sides)
    high = max(float(now.max(initial=0)), float(after.max(initial=0)), 1.0)
    fair = 100 * float(now.mean()) / high if len(now) else 0
    idle = [side.partition_count[view.order] == 0 for side in sides]
    each = zip(now, after, *idle, strict=True)
    bars = "".join(f"<span>{_bar(a, high, 'now', c)}{_bar(b, high, 'after', d)}</span>" for a, b, c, d in each)
    line = f'{"lag" if example.by_lag else "partitions"} per member: <b class="now">now</b>, <b class="after">under {example.assignor}</b>'
    return _drawn("", bars, line, f"--fair:{fair:.0f}%")


def _drawn(kind: str, inside: str, line: str, style: str = "") -> str:
    return f'<div class="mini {kind}" aria-hidden="true" style="{style}">{inside}</div><p class="note mini-line">{line}</p>'


def _loads(balance: Balance, by_lag: bool) -> np.ndarray:
    return balance.lag if by_lag else balance.partition_count


def _bar(value: float, high: float, side: str, idle: bool) -> str:
    return f'<i class="{side} idle"></i>' if idle else f'<i class="{side}" style="height:{100 * value / high:.0f}%"></i>'
