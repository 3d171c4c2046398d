"""The strip on a page: what the browser is given."""

import json

import pytest
from streamlit.testing.v1 import AppTest


def page(selected):
    from evenkeel.dashboard.steps import strip
    from evenkeel.dashboard.steps.strips import Arrow, Card, Strip

    cards = (
        Card("0", "as listed", ("2 members", "160 k")),
        Card("1", "joins", ("3 members", "100 k")),
    )
    import streamlit as st

    st.caption(str(strip.show(Strip(cards, (Arrow("2", "moves", "3 paused"),)), selected, print)))


@pytest.mark.parametrize(("selected", "shown"), [(0, 0), (1, 1), (7, 1), (-2, 0)])
def test_a_step_that_there_is_no_longer_gives_way_to_the_nearest(selected, shown):
    app = AppTest.from_function(page, args=(selected,)).run()

    assert app.caption[0].value == str(shown)
    assert json.loads(app.get("bidi_component")[0].proto.json)["selected"] == shown
