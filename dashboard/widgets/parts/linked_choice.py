"""One of a few options side by side, whose choice stands in the address."""

from collections.abc import Mapping

import streamlit as st

from evenkeel.dashboard.widgets.parts import address


def show(label: str, texts: Mapping[str, str], key: str, link: str | None = None, help: str | None = None) -> str:
    """Draw the options and return which is chosen; `address.follow` must have given the widget its value.

    `texts`: what each option shows. `link`: its name in the address, where that is not the widget's key.
    """
    return st.segmented_control(
        label,
        list(texts),
        format_func=texts.get,
        default=st.session_state[key],
        key=key,
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        help=help,
        on_change=address.chosen,
        args=(link or key,),
    )
