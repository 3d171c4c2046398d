"""Who made a share, when, until when, whether it computes the same now, and which names are stand-ins."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from dashboard.loading.shares import OpenShare
from dashboard.tables.steps.rows import differing
from dashboard.words.formats import duration, exact
from data.scenarios.run.step_figures import figures_of_steps
from data.words.lists import listed


def show(share: OpenShare) -> None:
    """Draw the facts, the note, and a banner where the answers of now differ."""
    cells = "".join(f"<div><dt>{label}</dt><dd>{said}</dd></div>" for label, said in _facts(share))
    st.html(f'<dl class="share-facts">{cells}</dl>')
    if share.was:
        st.html(f'<p class="differs">{_difference(share)}</p>')
    elif share.about.note:
        st.html(f'<p class="share-note">{escape(share.about.note)}</p>')


def _facts(share: OpenShare) -> list[tuple[str, str]]:
    about, now = share.about, datetime.now(UTC)
    by = f"<b>{escape(about.author)}</b>" if about.author else "<b>–</b>"
    frozen = f"<b>{about.created_at:%d %b %Y, %H:%M} UTC</b> {duration((now - about.created_at).total_seconds())} ago"
    left = about.expires_at and duration((about.expires_at - now).total_seconds())
    expires = f"<b>{about.expires_at:%d %b %Y}</b> in {left}" if about.expires_at else "<b>never</b>"
    return [("By", by), ("Frozen", frozen), ("Expires", expires), ("Recomputed just now", _recomputed(share)), ("Names", _names(share))]


def _recomputed(share: OpenShare) -> str:
    engine = escape(str(share.head.get("engine") or "–"))
    if share.about.redacted:
        return f"<b>–</b> computed on the original names by {engine}, cannot be recomputed here"
    if share.was:
        differ, of = _count(share)
        return f'<b class="worse">⚠ {exact(differ)} of {exact(of)} differ</b> {engine} then'
    return f"<b>the same</b> with engine {engine}"


def _names(share: OpenShare) -> str:
    kinds = share.about.redacted
    return f"<b>{escape(listed(kinds, len(kinds)))} are stand-ins</b> all else as it was" if kinds else "<b>as they were</b>"


def _count(share: OpenShare) -> tuple[int, int]:
    return differing(figures_of_steps(share.result.steps), figures_of_steps(share.was.steps))


def _difference(share: OpenShare) -> str:
    differ, of = _count(share)
    then = escape(str(share.head.get("engine") or "an unknown version"))
    what = f"{exact(differ)} of {exact(of)} figures differ." if differ else "Answers differ, no figure of these tables does."
    return (
        f"<b>{what}</b> Frozen with engine {then}, recomputed just now with this one. "
        "Where they differ, both are shown: the figure of now, and <i>was</i> what it said when frozen."
    )
