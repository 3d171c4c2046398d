"""Figures as a browser draws them, at the widths of a large screen, a small one and a phone."""

import json
from statistics import median

import pytest

from evenkeel.dashboard.parts.text_width import text_width
from tests.dashboard.browser.test_look import PAGES, SIZES, looks

SIDES = """figure => [...figure.querySelectorAll('text')].filter(one =>
    one.textContent).map(one => {
    const box = one.getBoundingClientRect(), left = figure.getBoundingClientRect().left;
    return [one.textContent, box.left - left, box.right - left];
})"""
SCROLLS = """figure => { let one = figure; while (one.parentElement &&
    one.clientWidth >= figure.clientWidth &&
        getComputedStyle(one).overflowX != 'auto') one = one.parentElement;
    return {room: one.clientWidth, overflow: getComputedStyle(one).overflowX}; }"""


def figure(page, key):
    return page.locator(f".st-key-{key} .js-plotly-plot")


def panels(page, key):
    """Return a figure, in a narrow window each of its panels."""
    shown = page.locator(f"[class*='st-key-{key}'] .js-plotly-plot")
    shown.first.wait_for()
    return shown.all()


@pytest.mark.parametrize(
    ("key", "look"),
    [
        (key, (PAGES[name], *SIZES[size]))
        for key, name in (("member-bars", "compare"), ("holdings", "moves"), ("matrix", "moves"))
        for size in ("narrow-dark", "phone-dark")
    ],
    indirect=["look"],
)
def test_every_text_of_a_figure_is_inside_it_and_a_figure_wider_than_the_window_scrolls(look, key):
    for drawn in panels(look, key):
        width = drawn.evaluate("figure => figure.getBoundingClientRect().width")
        sides = drawn.evaluate(SIDES)
        scrolls = drawn.evaluate(SCROLLS)

        assert [side for side in sides if side[1] < -1 or side[2] > width + 1] == []
        assert scrolls["room"] >= width - 1 or scrolls["overflow"] == "auto"


@looks("compare", sizes=("wide-light",))
def test_texts_are_as_wide_as_the_figures_reckon(look):
    words = [
        "cooperative-sticky",
        "pay-eu-01",
        "12.4\u202fk",
        "Partitions, max ÷ mean",
        "WWW illi",
        "≥ 34.7\u202fk records",
    ]
    measure = """(figure, words) => { const pen = document.createElement('canvas').getContext('2d');
        const text = figure.querySelector('.annotation-text');
        pen.font = '12px ' + getComputedStyle(text).fontFamily;
        return words.map(word => pen.measureText(word).width); }"""

    widths = figure(look, "member-bars").evaluate(measure, words)

    assert [text_width(word, 12) for word in words] == pytest.approx(widths, rel=0.03)


@pytest.mark.parametrize("path", ["/compare", "/moves", "/whatif", "/best"])
def test_a_node_that_a_figure_inserts_restyles_few_others(tab, chromium, path):
    page = tab(f"{path}?sample=lag-aware&candidate=lag")
    page.locator(".main-svg").first.wait_for(state="attached")
    chromium.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(
        """() => {
            for (let turn = 0; turn < 20; turn++) {
                const made = document.createElementNS("http://www.w3.org/2000/svg", "text");
                document.querySelector(".main-svg").append(made);
                made.getBoundingClientRect();
                made.remove();
            }
        }"""
    )
    events = json.loads(chromium.stop_tracing())["traceEvents"]

    restyled = [
        one["args"]["elementCount"]
        for one in events
        if one["name"] == "UpdateLayoutTree" and "elementCount" in one["args"]
    ]
    # A page has more than 1,000; Plotly inserts some forty texts to measure them. Something else
    # may restyle the page meanwhile.
    assert len(restyled) >= 20
    assert 0 < median(restyled) < 100
