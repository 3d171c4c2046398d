"""Figures of the pages in a report: always light, and still."""

import json
import re
from functools import cache
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from evenkeel.dashboard import theme

# With the page's own template a figure waits for colours that only the page has.
_NO_TEMPLATE = "none"
_STANDOFF = 6
"""Pixels between an axis and its words; the page's template has them else."""
_STYLE = re.compile(r"(?<=[\"' ;])color: ?(#[0-9A-Fa-f]{6})")


def light(figure: go.Figure) -> go.Figure:
    """Return a figure with the light theme's colours in place of placeholders."""
    drawn = go.Figure(_coloured(json.loads(figure.to_json())), skip_invalid=False)
    paper = theme.light_colours()[theme.PAPER]
    drawn.update_layout(
        template=_NO_TEMPLATE,
        paper_bgcolor=paper,
        plot_bgcolor=paper,
        font_family="Source Sans, sans-serif",
    )
    return drawn.update_xaxes(ticklabelstandoff=_STANDOFF).update_yaxes(ticklabelstandoff=_STANDOFF)


def _coloured(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _coloured(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_coloured(each) for each in value]
    return _in_light(value) if isinstance(value, str) and "#" in value else value


def _in_light(text: str) -> str:
    colours = theme.light_colours()
    # A name may look like a colour; the texts of figures are escaped, so that no name looks like a
    # style.
    return colours.get(text) or _STYLE.sub(
        lambda match: f"color:{colours.get(match[1], match[1])}", text
    )


def script_json(figure: go.Figure) -> str:
    """Return a light figure as JSON, safe inside a script of a page: plotly escapes what would end
    the script.
    """
    return light(figure).to_json()


@cache
def plotly_js() -> str:
    """Return plotly's program, which a report carries once."""
    return get_plotlyjs()
