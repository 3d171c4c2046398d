"""Figures as PNG: the browser that is there takes a picture of a page with the figure, its title and its address."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard.reports.charts import plotly_js, script_json
from evenkeel.dashboard.reports.font import font_face
from evenkeel.dashboard.reports.templates import rendered
from evenkeel.data.configuration.handover import without_secrets
from evenkeel.data.errors import SnapshotError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
_BROWSER = "BROWSER_PATH"
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync "
    "--hide-scrollbars --virtual-time-budget=10000 --force-device-scale-factor=2"
).split()
"""The page is our own, and may ask the network for nothing. It is twice as fine as on a page."""

_SECONDS = 60
_HEAD, _FOOT, _EDGE = 80, 38, 16
"""Pixels above, below and beside the figure."""


class Caption(NamedTuple):
    """What stands around a figure: title and a line above, the address below."""

    title: str
    beside: str
    address: str


def browser() -> str | None:
    """Return the program that draws, None where none is installed."""
    return os.environ.get(_BROWSER) or next(filter(None, map(shutil.which, _BROWSERS)), None)


def png(figure: go.Figure, width: int, caption: Caption) -> bytes:
    """Return a figure of so many pixels as a picture, in the font of the pages.

    Raises
    ------
    SnapshotError
        Where no browser is installed, or it does not draw.
    """
    program = browser()
    if program is None:
        raise SnapshotError(f"a picture needs a browser to draw it, and none of {', '.join(_BROWSERS)} is installed on the server")
    with TemporaryDirectory(prefix="evenkeel-picture-") as folder:
        page, picture = Path(folder, "page.html"), Path(folder, "picture.png")
        page.write_text(_page(figure, caption))
        size = f"--window-size={width},{figure.layout.height + _HEAD + _FOOT}"
        profile = f"--user-data-dir={folder}/profile"
        command = [program, *_FLAGS, size, profile, f"--screenshot={picture}", page.as_uri()]
        try:
            subprocess.run(command, env=without_secrets(), capture_output=True, timeout=_SECONDS, check=True)
            return picture.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise SnapshotError(f"the browser {program} did not draw the picture: {type(error).__name__}") from error


def _page(figure: go.Figure, caption: Caption) -> str:
    return rendered(
        "picture.html.jinja",
        caption=caption,
        figure=script_json(figure),
        height=figure.layout.height,
        head=_HEAD,
        foot=_FOOT,
        edge=_EDGE,
        font=font_face(),
        plotly=plotly_js(),
    )
