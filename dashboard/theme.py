"""One colour for each meaning, in figures and in HTML. The values are in
`dashboard/.streamlit/config.toml`.

On a page, a figure contains placeholders, and the browser replaces them by colours. In a notebook,
a figure has the light colours. Streamlit is not imported there, because the import would change the
look of other plotly figures.
"""

import sys
import tomllib
from functools import cache
from pathlib import Path

from plotly import io

_LIGHT = tomllib.loads((Path(__file__).parent / ".streamlit/config.toml").read_text())["theme"][
    "light"
]


def _colours(kind: str) -> tuple[str, ...]:
    """Return the placeholders of a list of colours. If Streamlit is not loaded, return the light
    colours. `kind`: `Categorical`, `Sequential` or `Diverging`.
    """
    if "streamlit" not in sys.modules:
        return tuple(_LIGHT[f"chart{kind}Colors"])
    layout = io.templates["streamlit"].layout
    if kind == "Categorical":
        return layout.colorway
    scale = layout.colorscale.sequential if kind == "Sequential" else layout.colorscale.diverging
    return tuple(colour for _, colour in scale)


CURRENT, CANDIDATE, KEPT, ADDED, REVOKED, INK, MUTED, LINE, SURFACE, PAPER = _colours("Categorical")
"""Placeholders for figures; the browser replaces them with colours of the theme, once for each
chart.
"""

LAG_SCALE = _colours("Sequential")
"""Ten colours, from no lag to the most lag. They are for the square root of the lag: with its
logarithm all tiles would be dark, and a hot partition would not be visible.
"""

*MEMBERS, OTHERS, BAD, WARN, BAND = _colours("Diverging")
"""Colours of six members, all others, a bad verdict, a warning, and the band of a forecast."""

UNSEEN = "rgba(0,0,0,0)"
"""For invisible marks that only react to the pointer."""

PAPER_TEXT_FROM = 0.57
"""Text on a tile has the background's colour from this fraction of the lag scale on. The contrast
there is at least 3.7 to 1, in the light and in the dark theme.
"""

_MEANINGS = (
    "current",
    "candidate",
    "kept",
    "added",
    "revoked",
    "ink",
    "muted",
    "line",
    "surface",
    "paper",
)
_MORE = (*(f"member-{place}" for place in range(len(MEMBERS))), "others", "bad", "warn", "band")
_BESIDE = {
    "better": ("#00694C", "#27C296"),
    "worse": ("#9A4300", "#F0A06A"),
    "track": ("#E9EDF0", "#26323C"),
    "selected": ("#17415F", "#8CC4EA"),
}


@cache
def light_colours() -> dict[str, str]:
    """Return the light colour of each placeholder, for figures outside the pages."""
    categorical = (CURRENT, CANDIDATE, KEPT, ADDED, REVOKED, INK, MUTED, LINE, SURFACE, PAPER)
    placeholders = (categorical, LAG_SCALE, (*MEMBERS, OTHERS, BAD, WARN, BAND))
    pairs = zip(placeholders, ("Categorical", "Sequential", "Diverging"), strict=True)
    colours: dict[str, str] = {}
    for some, kind in pairs:
        colours |= zip(some, _LIGHT[f"chart{kind}Colors"], strict=True)
    return colours


def css_variables() -> str:
    """Return the colours as CSS variables, for the page and its components: `--current` and so on,
    `--lag-0` to `--lag-9`.
    """
    import streamlit as st

    categorical, sequential, diverging = (
        list(
            zip(
                *(st.get_option(f"theme.{side}.chart{kind}Colors") for side in ("light", "dark")),
                strict=True,
            )
        )
        for kind in ("Categorical", "Sequential", "Diverging")
    )
    named = (
        dict(zip(_MEANINGS, categorical, strict=True))
        | {f"lag-{step}": pair for step, pair in enumerate(sequential)}
        | _BESIDE
    )
    named |= dict(zip(_MORE, diverging, strict=True))
    return (
        ":root{"
        + "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in named.items())
        + "}"
    )
