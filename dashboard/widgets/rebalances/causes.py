"""The table by cause: how often, how long, who, one advice with its setting, and what that would have left."""

from html import escape

import streamlit as st

from evenkeel.dashboard.charts.rebalances import colour_name
from evenkeel.dashboard.loading.rebalances import Shown
from evenkeel.dashboard.words.names import visible
from evenkeel.dashboard.words.rebalances import advice, look_of, paused_text, precise, seconds_text, would_be
from evenkeel.dashboard.words.times import local
from evenkeel.data.rebalances.by_cause import CauseRow, Setting
from evenkeel.data.words.formats import at_least, duration, exact
from evenkeel.data.words.names import elided
from evenkeel.data.words.rebalances import CAUSES, assumed_words, cause_words, setting_words

_HEAD = ("Cause", "count", "paused", "", "longest", "worst", "last", "Advice", "Setting", "would be")


def show(shown: Shown) -> None:
    """Draw the table, the longest pause first."""
    most = max((row.paused or row.seconds or 0 for row in shown.rows), default=0) or 1
    body = "".join(_row(shown, row, most) for row in shown.rows)
    head = "".join(f'<th class="{_class(name)}">{name}</th>' for name in _HEAD)
    table = f'<table class="rebalance-causes"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    st.html(f'<div class="scrolling" tabindex="0" role="group" aria-label="Causes">{table}</div>')


def _class(name: str) -> str:
    return {"": "bar", "Cause": "cause"}.get(name, name.lower().replace(" ", "-"))


def _row(shown: Shown, row: CauseRow, most: float) -> str:
    look, (left, is_better) = look_of(row.kind), would_be(row)
    permitted = next((shown.events[place].alternatives for place in row.places if shown.events[place].alternatives), ())
    help = f"{row.ambiguous:,} of {row.count:,}: {cause_words(row.kind, permitted)}" if permitted and row.kind in CAUSES else ""
    share = 100 * (row.paused or row.seconds or 0) / most
    worst = f"{escape(visible(elided(row.worst[0], 14)))} <small>{row.worst[1]:,}×</small>" if row.worst else "–"
    if row.member_count > 1 and row.worst and row.worst[1] * row.member_count == row.count:
        worst = f"all {exact(row.member_count)} <small>{row.worst[1]:,} each</small>"
    mark = f' <small title="{escape(help)}">?</small>' if help else ""
    cells = (
        ("cause", f'<i style="color:var(--{colour_name(row.kind)})">{look.glyph}</i>{escape(CAUSES[row.kind].short)}{mark}'),
        ("count", _count(row)),
        ("paused", paused_text(row.paused, row.seconds, (row.untimed if row.paused is None else row.unpaused) > 0)),
        ("bar", f'<span><em style="width:{share:.0f}%"></em></span>'),
        ("longest", at_least(seconds_text(row.longest_ms), row.untimed > 0)),
        ("worst", worst),
        ("last", _last(shown, row.last)),
        ("advice", escape(advice(row))),
        ("setting", _setting(row.saves) if row.saves else ""),
        ("would-be", f'<span class="{"better" if is_better else "quiet"}">{escape(left)}</span>'),
    )
    drawn = "".join(f'<td class="{name}">{text}</td>' for name, text in cells)
    return f"<tr>{drawn}</tr>"


def _setting(saves: Setting) -> str:
    """Return the setting; where its value rests on a timeout that no record says, that is said beside it."""
    words = f"<code>{escape(setting_words(saves.name, visible(elided(str(saves.value), 18))))}</code>"
    if saves.assumed_ms is None:
        return words
    more = duration((int(saves.value) - saves.assumed_ms) / 1000)
    why = f"No record says {saves.name}: Kafka's default is assumed. Where it is another, raise it by {more}."
    return f'{words} <small title="{escape(why)}">{assumed_words(saves.assumed_ms)}</small>'


def _count(row: CauseRow) -> str:
    """Return how many began so; of a cause that began none, in how many it came later."""
    return f"<b>{exact(row.count)}</b>" if row.count else f'<span title="Began otherwise; it came later">in {exact(len(row.within))}</span>'


def _last(shown: Shown, at: int | None) -> str:
    if at is None:
        return "–"
    is_today = local(at / 1000).date() == local(shown.until / 1000).date()
    return precise(at) if is_today else f"{local(at / 1000):%a} {precise(at)}"
