"""Copy link: the address of the view as it is."""

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).with_suffix(".js").read_text()


def show(hint: str = "") -> None:
    """Draw the button, with a line below its name where there is a hint."""
    below = f"<small>{hint}</small>" if hint else ""
    button = f'<button class="copy-link {"in-menu" if hint else "alone"}" type="button"><span>Copy link</span>{below}</button>'
    st.html(f"{button}<script>{_SCRIPT}</script>", unsafe_allow_javascript=True, width="stretch" if hint else "content")
