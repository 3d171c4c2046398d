"""Copy link: the address of the view as it is."""

import streamlit as st

from evenkeel.dashboard import scripts


def show(hint: str = "") -> None:
    """Draw the button, with a line below its name where there is a hint."""
    below = f"<small>{hint}</small>" if hint else ""
    button = f'<button class="copy-link {"in-menu" if hint else "alone"}" type="button"><span>Copy link</span>{below}</button>'
    st.html(button + scripts.inline("copy_link"), unsafe_allow_javascript=True, width="stretch" if hint else "content")
