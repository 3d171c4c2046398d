"""One colour per meaning.

The values are placeholders that Streamlit's page replaces with the lists of `.streamlit/config.toml`, so a figure follows light and dark without a rerun.
"""

import plotly.io as pio
import streamlit  # registers the template that the next line reads

_layout = pio.templates["streamlit"].layout

CURRENT, CANDIDATE, KEPT, ADDED, REVOKED, INK, MUTED, LINE, SURFACE, PAPER = _layout.colorway

LAG_SCALE: tuple[str, ...] = tuple(colour for _, colour in _layout.colorscale.sequential)
"""Ten steps from no lag to the most, for √lag: the logarithm paints everything dark and hides the hot partition."""

TEXT_ON_PAPER_ABOVE = 0.55
"""Share of the lag scale above which text on a tile takes the paper's colour."""
