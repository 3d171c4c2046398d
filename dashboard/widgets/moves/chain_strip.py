"""A chain of assignments as a strip, with the moves of each step and in all."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.figures.moves import Moves
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.words.answers import NEVER_ENDS
from evenkeel.dashboard.words.verdict import in_rounds
from evenkeel.data.words.formats import compact_sum, count, exact


def show(group: Opened, rows: Sequence[Row], chain: Sequence[str], switches: Mapping[str, Switch]) -> None:
    """Draw a card for each assignment, an arrow with the moves between two of them, and the total of several steps.

    `switches`: the ways from the current assignment. An earlier moment has its own lag beside that of the moment that is open, under which
    all else is compared.
    """
    by_name = {row.name: row for row in rows}
    steps = [loading.change(group, before, after).moves for before, after in zip(chain, chain[1:], strict=False)]
    parts = [_card(by_name[chain[0]], "current", then=loading.balance_then(group))]
    for before, name, moves in zip(chain, chain[1:], steps, strict=False):
        switch = switches.get(name)
        says_rounds = switch and (before == CURRENT or switch.is_endless)
        parts += [_arrow(moves), _card(by_name[name], "candidate" if name == chain[-1] else "", switch if says_rounds else None)]
    if len(steps) > 1:
        total = loading.change(group, chain[0], chain[-1]).moves
        walked = sum(moves.moved_count for moves in steps)
        parts.append(
            f'<span class="note">{exact(walked)} moves in {count(len(steps), "step")}; {exact(total.moved_count)} '
            f"when switched at once</span>"
        )
    st.html(f'<div class="chain">{"".join(parts)}</div>')


def _card(row: Row, role: str, switch: Switch | None = None, then: Balance | None = None) -> str:
    balance = then or row.balance
    counts = f"{exact(balance.max_partitions)} / {exact(balance.min_partitions)} · {exact(balance.idle_members)} idle"
    now = f" then, {_worst(row.balance)} with the lag of {CURRENT}" if then else ""
    facts = f"worst {_worst(balance)}{now} · {counts}"
    if switch and (switch.is_endless or switch.round_count > 1):
        facts += f" · {NEVER_ENDS if switch.is_endless else in_rounds(switch)}"
    return f'<div class="card {role}"><b>{escape(row.name)}</b><span>{facts}</span></div>'


def _worst(balance: Balance) -> str:
    return compact_sum(balance.max_lag, balance.lag_is_partial)


def _arrow(moves: Moves) -> str:
    lag = compact_sum(moves.moved_lag, moves.moved_lag_is_partial)
    return f'<div class="arrow"><b>{count(moves.moved_count, "move")}</b><i></i><span>{lag} lag</span></div>'
