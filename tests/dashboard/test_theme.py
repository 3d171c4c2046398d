"""Colours by meaning: contrast against the paper, in light and dark."""

import tomllib
from pathlib import Path

import pytest

from evenkeel.dashboard import theme

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / "dashboard/.streamlit/config.toml").read_text())["theme"]
NAMES = ("current", "candidate", "kept", "added", "revoked", "ink", "muted")


def luminance(color):
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("side", ["light", "dark"])
def test_marks_stand_out_3_to_1_and_text_4_5_to_1(side):
    colors = dict(zip(NAMES, CONFIG[side]["chartCategoricalColors"], strict=False))
    paper = CONFIG[side]["backgroundColor"]

    assert all(contrast(color, paper) >= 3 for color in colors.values())
    assert contrast(colors["ink"], paper) >= 4.5
    assert contrast(colors["muted"], paper) >= 4.5


@pytest.mark.parametrize("side", ["light", "dark"])
def test_text_on_every_shade_of_the_lag_scale_can_be_read(side):
    *_, ink, _, _, _, paper = CONFIG[side]["chartCategoricalColors"]
    scale = CONFIG[side]["chartSequentialColors"]

    for share in (step / 300 for step in range(301)):
        text = paper if share >= theme.PAPER_TEXT_FROM else ink
        assert contrast(text, shade(scale, share)) >= 3.6, share


def shade(scale, share):
    place = min(int(share * (len(scale) - 1)), len(scale) - 2)
    part = share * (len(scale) - 1) - place
    mixed = (
        round(
            (1 - part) * int(scale[place][at : at + 2], 16)
            + part * int(scale[place + 1][at : at + 2], 16)
        )
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


@pytest.mark.parametrize("side", ["light", "dark"])
def test_white_text_on_a_button_can_be_read(side):
    assert contrast("#FFFFFF", CONFIG[side]["primaryColor"]) >= 4.5


def test_every_meaning_has_a_colour_of_its_own_that_the_page_replaces():
    kinds = [theme.CURRENT, theme.CANDIDATE, theme.KEPT, theme.ADDED, theme.REVOKED]
    meanings = [*kinds, theme.INK, theme.MUTED, theme.LINE, theme.SURFACE, theme.PAPER]

    assert len(set(meanings)) == 10
    assert len(set(theme.LAG_SCALE)) == 10
    assert not set(meanings) & set(CONFIG["light"]["chartCategoricalColors"])


def test_no_figure_names_a_colour_by_its_value():
    charts = (ROOT / "dashboard/parts").glob("*.py")

    assert not [
        chart.name for chart in charts if '"#' in chart.read_text() or "'#" in chart.read_text()
    ]
