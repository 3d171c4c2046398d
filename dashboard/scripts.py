"""Scripts within pages and reports: fixed texts, so that a content security policy names each and
allows no other.

    # static/names.js; its values are in data attributes.
    st.html(scripts.inline("names"), unsafe_allow_javascript=True)
    f"script-src {scripts.source(text)}"
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

_STATIC = Path(__file__).parent / "static"

COPY = (_STATIC / "copy.js").read_text()
"""The function that copies a text, for scripts that go after it."""

_TEXTS = {name: (_STATIC / f"{name}.js").read_text() for name in ("address", "names", "times")} | {
    # In a block: Streamlit may run it twice in one scope.
    "copy": f"{{\n{COPY}{(_STATIC / 'copy_links.js').read_text()}}}\n"
}


def inline(name: str) -> str:
    """Return a script of the pages as an element."""
    return f"<script>{_TEXTS[name]}</script>"


def sources() -> list[str]:
    """Return all scripts of the pages as a policy names them."""
    return [source(text) for text in _TEXTS.values()]


def source(script: str) -> str:
    """Return one script as a policy names it: by its text."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
