"""A chain of assignments as a strip, with the moves of each step and in all."""

from collections.abc import Collection, Sequence
from html import escape

import streamlit as st

from assignors.comparison import Row
from assignors.moves import Moves
from dashboard import loading
from dashboard.assignor_rows import is_whole
from dashboard.formats import at_least, compact, count, exact
from dashboard.row_notes import NEVER_ENDS
from dashboard.widgets.opened import Opened


def show(group: Opened, rows: Sequence[Row], chain: Sequence[str], endless: Collection[str]) -> None:
    """Draw the strip: a card for each assignment, an arrow with the moves between them, and the total of several steps. `endless`: assignors that a switch never ends to."""
    by_name = {row.name: row for row in rows}
    steps = [loading.change(group, before, after).moves for before, after in zip(chain, chain[1:], strict=False)]
    parts = [_card(by_name[chain[0]], "current", chain[0] in endless)]
    for name, moves in zip(chain[1:], steps, strict=True):
        parts += [_arrow(moves), _card(by_name[name], "candidate" if name == chain[-1] else "", name in endless)]
    if len(steps) > 1:
        total = loading.change(group, chain[0], chain[-1]).moves
        walked = sum(moves.moved_count for moves in steps)
        parts.append(f'<span class="note">{exact(walked)} moves in {count(len(steps), "step")}; {exact(total.moved_count)} when switched at once</span>')
    st.html(f'<div class="chain">{"".join(parts)}</div>')


def _card(row: Row, role: str, is_endless: bool) -> str:
    balance = row.balance
    facts = f"worst {at_least(compact(balance.max_lag), balance.lag_is_partial)} · {exact(balance.max_partitions)} / {exact(balance.min_partitions)} · {exact(balance.idle_members)} idle"
    facts += f" · {NEVER_ENDS}" if is_endless else "" if is_whole(row) else " · 2 rounds"
    return f'<div class="card {role}"><b>{escape(row.name)}</b><span>{facts}</span></div>'


def _arrow(moves: Moves) -> str:
    return f'<div class="arrow"><b>{count(moves.moved_count, "move")}</b><i></i><span>{at_least(compact(moves.moved_lag), moves.moved_lag_is_partial)} lag</span></div>'
