"""A Streamlit component: HTML, CSS and JavaScript in three files with the same name."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from evenkeel.dashboard import scripts


def component(name: str, file: Path, inside: Path | None = None) -> ComponentRenderer:
    """Register the component whose three files have the name of `file`. `inside`: a script that
    runs before the component's script; the CSS file with the name of `inside` is added too.
    """
    html, css, js = (file.with_suffix(f".{kind}").read_text() for kind in ("html", "css", "js"))
    js = scripts.COPY + js
    if inside:
        css += inside.with_suffix(".css").read_text()
        js = inside.read_text() + js
    return st.components.v2.component(f"evenkeel.{name}", html=html, css=css, js=js)
