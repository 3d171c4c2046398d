"""Figures as PNG: kaleido draws them with the browser that is there."""

import os
import shutil

import plotly.graph_objects as go

from dashboard.reports.charts import light
from data.errors import SnapshotError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
_BROWSER = "BROWSER_PATH"
_SCALE = 2


def browser() -> str | None:
    """Return the program that draws, None where none is installed."""
    return os.environ.get(_BROWSER) or next(filter(None, map(shutil.which, _BROWSERS)), None)


def png(figure: go.Figure, width: int) -> bytes:
    """Return a figure as a picture, twice as fine as a page shows it.

    Raises
    ------
    SnapshotError
        Where no browser is installed, or it does not draw.
    """
    program = browser()
    if program is None:
        raise SnapshotError(f"a picture needs a browser to draw it, and none of {', '.join(_BROWSERS)} is installed on the server")
    os.environ[_BROWSER] = program
    try:
        return light(figure).to_image(format="png", width=width, height=figure.layout.height, scale=_SCALE)
    except Exception as error:
        raise SnapshotError(f"the browser {program} did not draw the picture: {type(error).__name__}") from error
