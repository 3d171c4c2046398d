"""Copy link: the address of the view as it is."""

import streamlit as st

# Browsers have no clipboard for a page that came without TLS from another machine.
_COPY = (
    "const said = this.querySelector('span'), copied = () => { said.textContent = 'Link copied' }, "
    "ask = () => prompt('Copy this link', location.href); "
    "navigator.clipboard ? navigator.clipboard.writeText(location.href).then(copied, ask) : ask()"
)


def show(hint: str = "") -> None:
    """Draw the button, with a line below its name where there is a hint."""
    below = f"<small>{hint}</small>" if hint else ""
    kind = "in-menu" if hint else "alone"
    button = f'<button class="copy-link {kind}" type="button" onclick="{_COPY}"><span>Copy link</span>{below}</button>'
    st.html(f"<div>{button}</div>", unsafe_allow_javascript=True, width="stretch" if hint else "content")
