"""The font of the pages, for a file that opens without them."""

import base64
from functools import cache
from importlib.resources import files

_FONT = "SourceSansVF-Upright"


@cache
def font_face() -> str:
    """Return CSS with the font inside; empty where this Streamlit brings another one."""
    media = files("streamlit") / "static" / "static" / "media"
    found = next((file for file in media.iterdir() if file.name.startswith(_FONT)), None)
    if found is None:
        return ""
    data = base64.b64encode(found.read_bytes()).decode()
    return f'@font-face{{font-family:"Source Sans";font-weight:200 900;src:url(data:font/woff2;base64,{data}) format("woff2")}}'
