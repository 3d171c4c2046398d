"""All scenarios beside what the group has now, under one candidate: a table, and the members' lag on one scale."""

from collections.abc import Callable, Mapping
from html import escape

import streamlit as st

from assignors.figures.balance import Balance
from dashboard.charts.parts import frame
from dashboard.charts.scenario_bars import scenario_bars
from dashboard.loading.scenarios.walks import Walk, walked
from dashboard.view import Opened
from dashboard.widgets.edits import state
from dashboard.widgets.edits.answers.lag_panels import panels
from dashboard.widgets.edits.effects import total
from dashboard.widgets.parts import address
from dashboard.words.answers.steps import tone_of
from dashboard.words.formats import UNKNOWN, change, compact, compact_sum, count, exact, ratio, signed
from dashboard.words.names import elided

_KEY, _SHOW = "what-if-show", "show"
_STEPS, _SIDE = "steps", "side"
_FIGURES: dict[str, tuple[Callable[[Balance], str], Callable[[Balance, Balance], str]]] = {
    "Worst member, lag": (
        lambda found: compact_sum(found.max_lag, found.lag_is_partial),
        lambda now, then: change(now.max_lag, then.max_lag, now.lag_is_partial, then.lag_is_partial),
    ),
    "Spread of lag, CV": (lambda found: ratio(found.lag_cv), lambda now, then: ""),
    "Partitions, max / min": (lambda found: f"{exact(found.max_partitions)} / {exact(found.min_partitions)}", lambda now, then: ""),
    "Idle members": (
        lambda found: exact(found.idle_members),
        lambda now, then: "" if None in (now.idle_members, then.idle_members) else signed(then.idle_members - now.idle_members),
    ),
}
"""Text of a figure, and of its change."""


def is_chosen(place: state.Place) -> bool:
    """Draw the choice where there are several scenarios; tell whether they stand side by side."""
    if len(place.draft.scenarios) < 2:
        return False
    words = {_STEPS: f"Steps of {place.letter}", _SIDE: "Side by side"}
    address.follow(_SHOW, list(words), _STEPS, "view", _KEY)
    chosen = st.segmented_control(
        "View",
        list(words),
        format_func=words.get,
        key=_KEY,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        on_change=address.chosen,
        args=(_SHOW,),
    )
    address.show(show=None if chosen == _STEPS else chosen)
    return chosen == _SIDE


def show(group: Opened, place: state.Place, candidate: str, names: Mapping[str, str]) -> None:
    """Draw every scenario after its last step; a scenario whose edit is refused ends before it."""
    walks = {
        f"{letter} · {elided(named.name or count(len(named.steps), 'step'), 24)}": walked(group, named.steps, candidate)
        for letter, named in zip(state.LETTERS, place.draft.scenarios, strict=False)
    }
    st.html(f'<table class="beside"><thead>{_head(walks, candidate)}</thead><tbody>{_body(walks)}</tbody></table>')
    members, drawn = panels(walks)
    if members and any(panel.fair for panel in drawn):
        figure = scenario_bars([names.get(member, member) for member in members], drawn)
        balances = {title: walk.answers[-1].balance for title, walk in walks.items()}
        worst = ", ".join(f"{title} {compact(found and found.max_lag)}" for title, found in balances.items())
        st.plotly_chart(figure, key="scenario-bars", config=frame.CONFIG, alt=f"Lag per member; of the worst member: {worst}")


def _head(walks: Mapping[str, Walk], candidate: str) -> str:
    now = next(iter(walks.values())).answers[0].group
    cells = [("Now", now, ""), *((title, walk.answers[-1].group, f", {candidate}") for title, walk in walks.items())]
    heads = [
        f"<th colspan=2>{escape(title)}<small>{count(group and group.member_count, 'member')}{escape(name)}</small></th>"
        for title, group, name in cells
    ]
    return f"<tr><th></th>{''.join(heads)}</tr>"


def _body(walks: Mapping[str, Walk]) -> str:
    now = next(iter(walks.values())).answers[0].balance
    rows = []
    for label, (text, differs) in _FIGURES.items():
        cells = [_pair(text(now) if now else UNKNOWN, "")]
        for walk in walks.values():
            after = walk.answers[-1].balance
            cells.append(_pair(text(after) if after else UNKNOWN, differs(now, after) if now and after else ""))
        rows.append((label, cells))
    moved = [total(walk.answers[1:]) for walk in walks.values()]
    rows.append(("Moves in all steps", [_pair(UNKNOWN, ""), *(_pair(exact(each), "") for each in moved)]))
    return "".join(f"<tr><th>{escape(label)}</th>{''.join(cells)}</tr>" for label, cells in rows)


def _pair(text: str, differs: str) -> str:
    return f'<td>{escape(text)}</td><td class="{tone_of(differs) or "quiet"}">{escape(differs)}</td>'
