"""The bar above an open share, and the facts below the bar."""

from datetime import UTC, datetime, timedelta
from html import escape

import streamlit as st

from evenkeel.dashboard.names import visible
from evenkeel.dashboard.shares.loading.opened import (
    AnyOpen,
    OpenRebalances,
)
from evenkeel.data.scenarios.run.walk import engine as running
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.text.formats import UNKNOWN, count, duration, exact, listed

# The bar above a share: frozen, not live.


def show_bar(share: AnyOpen) -> None:
    """Draw the bar. It stays visible while the reader scrolls."""
    when = (
        None if isinstance(share, OpenRebalances) else share.scenario.group.taken_at
    ) or share.about.created_at
    source = (
        f", read from {escape(visible(share.head['source']))}" if share.head.get("source") else ""
    )
    with st.container(key="frozen"):
        st.html(
            '<div class="frozen-bar"><b>❄ Frozen – not live</b> '
            f"These are the numbers of {when:%d %b %Y, %H:%M:%S} UTC{source}. "
            "The group may look different now. Nothing is sent to Kafka.</div>"
        )


# Facts of a share: its author, its times, whether today's answers are the same, and its kinds of
# stand-ins.


_MOST_KINDS = 2


def show_facts(share: AnyOpen, differ: tuple[int, int] | None) -> None:
    """Draw the facts of a share, and its note. If today's answers differ, a sentence replaces the
    note.

    `differ`: number of figures that differ, and number of all figures; None if no answer differs.
    """
    cells = "".join(
        f"<div><dt>{label}</dt><dd>{text}</dd></div>" for label, text in _facts(share, differ)
    )
    st.html(f'<dl class="share-facts">{cells}</dl>')
    if differ:
        st.html(f'<p class="differs">{_difference(share, *differ)}</p>')
    elif share.about.note:
        st.html(f'<p class="share-note">{_safe(share.about.note)}</p>')


def _safe(text: str) -> str:
    return escape(visible(text))


def _facts(share: AnyOpen, differ: tuple[int, int] | None) -> list[tuple[str, str]]:
    about, now = share.about, datetime.now(UTC)
    by = f"<b>{_safe(about.author)}</b>" if about.author else f"<b>{UNKNOWN}</b>"
    frozen = (
        f"<b>{about.created_at:%d %b %Y, %H:%M} UTC</b>"
        f" {duration(max((now - about.created_at).total_seconds(), 0.0))} ago"
    )
    expires = (
        f"<b>{about.expires_at:%d %b %Y}</b> in {_left(about.expires_at - now)}"
        if about.expires_at
        else "<b>never</b>"
    )
    return [
        ("By", by),
        ("Frozen", frozen),
        ("Expires", expires),
        (
            "Read" if isinstance(share, OpenRebalances) else "Recomputed just now",
            _recomputed(share, differ),
        ),
        ("Names", _names(share)),
    ]


def _left(time: timedelta) -> str:
    """Return a time in days, rounded to the nearest day: a new share for 30 days shows 30, not
    29.
    """
    return (
        count(round(time / timedelta(days=1)), "day")
        if time > timedelta(days=2)
        else duration(time.total_seconds())
    )


def _recomputed(share: AnyOpen, differ: tuple[int, int] | None) -> str:
    engine = _safe(str(share.head.get("engine") or UNKNOWN))
    if isinstance(share, OpenRebalances):
        return f"<b>once</b> by engine {engine}; this share does not read the log again"
    if share.about.redacted:
        return (
            f"<b>–</b> computed on the original names by engine {engine}, cannot be recomputed here"
        )
    if differ:
        some, of = differ
        return (
            f'<b class="worse">⚠ {exact(some)} of {exact(of)} differ</b> {engine} then,'
            f" {running()} now"
        )
    result = _safe(str(share.head.get("result_hash") or ""))
    code = f'<code title="result {result}">{result[:4]}…{result[-4:]}</code>'
    return f'<b class="better">✓ same as when frozen</b> engine {engine} · {code}'


def _names(share: AnyOpen) -> str:
    kinds = share.about.redacted
    if not kinds:
        return "<b>unchanged</b>"
    if set(kinds) == set(KINDS):
        return "<b>all are stand-ins</b> of every kind"
    if len(kinds) > _MOST_KINDS:
        return (
            f"<b>{len(kinds)} of {len(KINDS)} kinds are stand-ins</b>"
            f" {_safe(listed(kinds, len(kinds)))}"
        )
    return f"<b>{_safe(listed(kinds, len(kinds)))} are stand-ins</b> all other names unchanged"


def _difference(share: AnyOpen, differ: int, of: int) -> str:
    then = _safe(str(share.head.get("engine") or "an unknown version"))
    difference = (
        f"{exact(differ)} of {exact(of)} figures differ."
        if differ
        else "Assignments differ, but every figure here is the same."
    )
    return (
        f"<b>{difference}</b> Frozen with engine {then}, recomputed just now with {running()}. "
        "If a figure differs, the frozen figure is shown after <i>was</i>."
    )
