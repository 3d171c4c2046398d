"""Many sessions at once: what does not depend on the session is done once, and a click costs
little.
"""

import gc
import threading

import plotly.graph_objects as go
import pytest


@pytest.fixture
def undrawable(monkeypatch):
    """From here on nobody draws a figure."""

    def refuse(*_, **__):
        raise AssertionError("a figure is drawn again")

    return lambda: monkeypatch.setattr(go.Figure, "__init__", refuse)


@pytest.mark.parametrize("name", ["compare", "moves"])
def test_what_one_session_has_drawn_another_gets_without_drawing(page, undrawable, name):
    figures = [
        chart.proto.spec
        for chart in page.open(name, sample="one-hot-partition", candidate="sticky").app.get(
            "plotly_chart"
        )
    ]
    undrawable()

    other = page.anew().open(name, sample="one-hot-partition", candidate="sticky")

    assert not other.app.exception
    assert [chart.proto.spec for chart in other.app.get("plotly_chart")] == figures


def test_another_candidate_is_another_figure(page):
    figures = [
        chart.proto.spec
        for chart in page.open("compare", sample="one-hot-partition", candidate="sticky").app.get(
            "plotly_chart"
        )
    ]

    page.app.selectbox(key="candidate").set_value("range").run()

    assert all(chart.proto.spec not in figures for chart in page.app.get("plotly_chart"))


MOST_CALLS = 60_000
"""Functions of Python that a switch to a candidate that somebody has looked at may call; they take
0.1 s together.
"""


@pytest.mark.parametrize("name", ["compare", "moves"])
def test_a_candidate_that_is_cached_is_shown_with_few_calls_and_no_full_garbage_collection(
    page, name
):
    for candidate in ("range", "sticky"):
        page.open(name, sample="one-hot-partition", candidate=candidate)
    calls, collections = [], []
    count = lambda frame, event, arg: calls.append(event) if event == "call" else None  # noqa: E731
    whole = lambda phase, info: collections.append(phase) if info["generation"] == 2 else None  # noqa: E731

    threading.setprofile(count)
    gc.callbacks.append(whole)
    gc.disable()
    try:
        page.app.selectbox(key="candidate").set_value("range").run()
    finally:
        gc.enable()
        gc.callbacks.remove(whole)
        threading.setprofile(None)

    assert not page.app.exception
    assert 1_000 < len(calls) < MOST_CALLS
    assert not collections
