"""Scripts within pages and reports: fixed texts, so that a content security policy names each and
allows no other.

    # static/names.js; its values are in data attributes.
    st.html(scripts.inline("names"), unsafe_allow_javascript=True)
    f"script-src {scripts.source(text)}"
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

_FILES = {
    name: Path(__file__).parent / "static" / f"{name}.js"
    for name in ("address", "copy", "names", "times")
}


@cache
def inline(name: str) -> str:
    """Return a script of the pages as an element."""
    return f"<script>{_FILES[name].read_text()}</script>"


def sources() -> list[str]:
    """Return all scripts of the pages as a policy names them."""
    return [source(file.read_text()) for file in _FILES.values()]


def source(script: str) -> str:
    """Return one script as a policy names it: by its text."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
