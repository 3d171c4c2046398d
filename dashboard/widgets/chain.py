"""Successive assignments: from the current one, by way of others, to the candidate, with the moves of each step and in all."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from assignors.comparison import CURRENT, Row
from dashboard import loading
from dashboard.assignor_rows import is_whole
from dashboard.formats import at_least, compact, count, exact
from dashboard.widgets import address, problem
from dashboard.widgets.opened import Opened

Step = tuple[str, str]

_KEY = "chain"
_STEP = "chain-step"


def choose(rows: Sequence[Row], candidate: str) -> list[str]:
    """Draw the select box of stops and return the chain: current, the stops in the order chosen, the candidate."""
    others = [row.name for row in rows[1:] if row.name != candidate and not row.error]
    _choose_linked(others)
    stops = st.multiselect(
        "By way of",
        others,
        key=_KEY,
        placeholder="By way of …",
        label_visibility="collapsed",
        width=260,
        persist_state="session",
        on_change=address.chosen,
        args=(_KEY,),
    )
    address.show(via=",".join(stops) or None)
    address.show_refused(_KEY)
    for row in rows:
        if row.name in stops:
            problem.require_answer(row)
    return [CURRENT, *stops, candidate]


def _choose_linked(others: Sequence[str]) -> None:
    linked = address.take("via")
    if linked is None:
        return
    named = dict.fromkeys(linked.split(","))
    st.session_state[_KEY] = [name for name in named if name in others]
    unknown = [name for name in named if name not in others]
    if unknown:
        address.refuse(_KEY, f"The address goes by way of “{', '.join(unknown)[:80]}”; possible are {', '.join(others)}.")


def choose_step(chain: Sequence[str]) -> Step:
    """Return which difference the page shows; a chain of several steps asks, the total first."""
    steps = [(chain[0], chain[-1]), *zip(chain, chain[1:], strict=False)] if len(chain) > 2 else [(chain[0], chain[1])]
    places = [str(place) for place in range(len(steps))]
    linked = address.take("step")
    if linked in places:
        st.session_state[_STEP] = linked
    if len(steps) == 1:
        address.show(step=None)
        return steps[0]
    if st.session_state.get(_STEP) not in places:
        st.session_state[_STEP] = places[0]
    names = [f"{before} → {after}" + (" (total)" if place == 0 else "") for place, (before, after) in enumerate(steps)]
    chosen = st.segmented_control(
        "Difference shown", places, format_func=lambda place: names[int(place)], required=True, key=_STEP, persist_state="session", label_visibility="collapsed"
    )
    address.show(step=None if chosen == places[0] else chosen)
    return steps[int(chosen or 0)]


def show(group: Opened, rows: Sequence[Row], chain: Sequence[str]) -> None:
    """Draw the strip: a card for each assignment, an arrow with the moves between them, and the total of several steps."""
    by_name = {row.name: row for row in rows}
    steps = [loading.change(group, before, after).moves for before, after in zip(chain, chain[1:], strict=False)]
    parts = [_card(by_name[chain[0]], "current")]
    for name, moves in zip(chain[1:], steps, strict=True):
        parts += [_arrow(moves), _card(by_name[name], "candidate" if name == chain[-1] else "")]
    if len(steps) > 1:
        total = loading.change(group, chain[0], chain[-1]).moves
        walked = sum(moves.moved_count for moves in steps)
        parts.append(f'<span class="note">{exact(walked)} moves in {count(len(steps), "step")}; {exact(total.moved_count)} when switched at once</span>')
    st.html(f'<div class="chain">{"".join(parts)}</div>')


def _card(row: Row, role: str) -> str:
    balance = row.balance
    facts = f"worst {at_least(compact(balance.max_lag), balance.lag_is_partial)} · {exact(balance.max_partitions)} / {exact(balance.min_partitions)} · {exact(balance.idle_members)} idle"
    facts += "" if is_whole(row) else " · 2 rounds"
    return f'<div class="card {role}"><b>{escape(row.name)}</b><span>{facts}</span></div>'


def _arrow(moves) -> str:
    return f'<div class="arrow"><b>{count(moves.moved_count, "move")}</b><i></i><span>{at_least(compact(moves.moved_lag), moves.moved_lag_is_partial)} lag</span></div>'
