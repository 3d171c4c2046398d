"""The bar above a share: frozen, not live."""

from html import escape

import streamlit as st

from evenkeel.dashboard.loading.shares import OpenApplication, OpenShare
from evenkeel.dashboard.words.names import visible


def show(share: OpenShare | OpenApplication) -> None:
    """Draw the bar; it stays in sight while the page scrolls."""
    when = share.scenario.group.taken_at or share.about.created_at
    source = f", read from {escape(visible(share.head['source']))}" if share.head.get("source") else ""
    with st.container(key="frozen"):
        st.html(
            '<div class="frozen-bar"><b>❄ Frozen – not live</b> '
            f"These are the numbers of {when:%d %b %Y, %H:%M:%S} UTC{source}. "
            "The group may look different now. Nothing is sent to Kafka.</div>"
        )
