"""One colour for each meaning, in figures and in our own HTML; the values are in `.streamlit/config.toml`."""

import streamlit as st
from plotly import io

_layout = io.templates["streamlit"].layout

CURRENT, CANDIDATE, KEPT, ADDED, REVOKED, INK, MUTED, LINE, SURFACE, PAPER = _layout.colorway
"""For figures: placeholders that the browser replaces with colours of the theme, once for each chart."""

LAG_SCALE: tuple[str, ...] = tuple(colour for _, colour in _layout.colorscale.sequential)
"""Ten steps from no lag to the most, for √lag: the logarithm paints everything dark and hides the hot partition."""

*MEMBERS, OTHERS, BAD, WARN, BAND = (colour for _, colour in _layout.colorscale.diverging)
"""Six members, all others, a bad verdict, one that warns, and the band of a forecast."""

UNSEEN = "rgba(0,0,0,0)"
"""For marks that only answer the pointer."""

PAPER_TEXT_FROM = 0.57
"""Share of the lag scale from which text on a tile has the paper's colour: here the lower contrast of light and dark is best, 3.7 to 1."""

_MEANINGS = ("current", "candidate", "kept", "added", "revoked", "ink", "muted", "line", "surface", "paper")
_MORE = (*(f"member-{place}" for place in range(len(MEMBERS))), "others", "bad", "warn", "band")
_BESIDE = {
    "better": ("#00694C", "#27C296"),
    "worse": ("#9A4300", "#F0A06A"),
    "track": ("#E9EDF0", "#26323C"),
    "selected": ("#17415F", "#8CC4EA"),
}


def light_colours() -> dict[str, str]:
    """Return the light colour of each placeholder, for figures outside the page."""
    placeholders = dict(zip(_layout.colorway, st.get_option("theme.light.chartCategoricalColors"), strict=True))
    placeholders |= dict(zip(LAG_SCALE, st.get_option("theme.light.chartSequentialColors"), strict=True))
    return placeholders | dict(zip((*MEMBERS, OTHERS, BAD, WARN, BAND), st.get_option("theme.light.chartDivergingColors"), strict=True))


def css_variables() -> str:
    """Return the colours as CSS variables, `--current` and so on, `--lag-0` to `--lag-9`; components see them too."""
    categorical, sequential, diverging = (
        list(zip(*(st.get_option(f"theme.{side}.chart{kind}Colors") for side in ("light", "dark")), strict=True))
        for kind in ("Categorical", "Sequential", "Diverging")
    )
    named = dict(zip(_MEANINGS, categorical, strict=True)) | {f"lag-{step}": pair for step, pair in enumerate(sequential)} | _BESIDE
    named |= dict(zip(_MORE, diverging, strict=True))
    return ":root{" + "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in named.items()) + "}"
