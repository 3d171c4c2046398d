"""The fair-share lines of a panel and one text for all of them: two, side by side, would cover each other."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.loads import joined_shares


def add_fair_lines(figure: go.Figure, shares: Sequence[tuple[float, str]], axis: str, high: float, layer: str = "above") -> None:
    """Draw `fair_shares` across a panel whose axis ends at `high`."""
    for value, _ in shares:
        figure.add_shape(type="line", xref=axis, yref="paper", x0=value, x1=value, y0=0, y1=1, layer=layer, line=frame.FAIR)
    joined = joined_shares(shares)
    if joined:
        value, text = joined
        place = "center" if 0.15 * high < value < 0.85 * high else "left" if value < high / 2 else "right"
        frame.label(figure, text, value, 1, xref=axis, yref="paper", xanchor=place, yanchor="bottom", color=theme.INK)
