"""Scripts in pages and reports. Their texts are fixed, so that a content security policy can allow
exactly these scripts by their hashes.

    # static/names.js; its values are in data attributes.
    st.html(scripts.inline("names"), unsafe_allow_javascript=True)
    f"script-src {scripts.source(text)}"
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

_STATIC = Path(__file__).parent / "static"

COPY = (_STATIC / "copy.js").read_text()
"""A function that copies a text; scripts after it can call it."""

_TEXTS = {name: (_STATIC / f"{name}.js").read_text() for name in ("address", "names", "times")} | {
    # In a block, because Streamlit may run it twice in one scope.
    "copy": f"{{\n{COPY}{(_STATIC / 'copy_links.js').read_text()}}}\n"
}


def inline(name: str) -> str:
    """Return a script of the pages as an HTML element."""
    return f"<script>{_TEXTS[name]}</script>"


def sources() -> list[str]:
    """Return the sources of all scripts of the pages, as in a content security policy."""
    return [source(text) for text in _TEXTS.values()]


def source(script: str) -> str:
    """Return the source of one script, as in a content security policy: the hash of its text."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
