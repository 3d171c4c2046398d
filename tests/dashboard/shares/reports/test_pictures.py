"""Pictures of figures, drawn by a real browser."""

import io

import numpy as np
import pytest
from PIL import Image

from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.shares.reports import pages
from evenkeel.dashboard.shares.reports.pages import Caption, png
from evenkeel.data.errors import SnapshotError

CAPTION = Caption(
    "lag or sticky? <b>",
    "consumer group payments · step 1",
    "https://evenkeel.example/shared?share=x",
)
FIGURE = frame.figure(200)
FIGURE.add_bar(
    orientation="h",
    x=[5],
    y=[0],
    width=1,
    offset=0,
    marker=frame.load_marker("#FF0000", [False], [False]),
)
FIGURE.update_layout(xaxis_range=[0, 10], yaxis_range=[0, 2])


def test_a_picture_has_the_figure_between_its_title_and_its_address():
    found = Image.open(io.BytesIO(png(FIGURE, 500, CAPTION))).convert("RGB")

    pixels = np.asarray(found).astype(int)
    is_dark = (pixels.sum(axis=2) < 600).any(axis=1)
    assert found.width == 1000
    assert (pixels == (255, 0, 0)).all(axis=2).any()
    # The title, the line below it, and the address.
    assert is_dark[:66].any()
    assert is_dark[66:110].any()
    assert is_dark[-76:].any()


def test_texts_around_the_figure_are_no_markup():
    page = pages._page(FIGURE, 500, CAPTION)

    assert "lag or sticky? &lt;b&gt;" in page
    assert "share=x</footer>" in page


@pytest.mark.parametrize(
    ("program", "refusal"),
    [(None, "none of chromium, "), ("/bin/false", "/bin/false did not draw the picture")],
)
def test_without_a_browser_that_draws_it_is_refused(monkeypatch, program, refusal):
    monkeypatch.setattr(pages, "browser", lambda: program)

    with pytest.raises(SnapshotError, match=refusal):
        png(FIGURE, 500, CAPTION)
