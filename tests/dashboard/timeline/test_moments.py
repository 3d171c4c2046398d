"""Moments A and B of the Timeline."""

import pytest
from streamlit.testing.v1 import AppTest


def page():
    from types import SimpleNamespace

    import streamlit as st

    from evenkeel.dashboard.shell import address
    from evenkeel.dashboard.timeline import moments

    address.begin()
    with address.drawn():
        for name, time in st.session_state.pop("clicks", ()):
            moments.pick(name, time)
        st.text(
            str(
                tuple(moments.choose(SimpleNamespace(since=100.0, listed_since=120.0, until=200.7)))
            )
        )


def after(*clicks) -> str:
    app = AppTest.from_function(page)
    app.session_state["clicks"] = clicks
    return app.run().text[0].value


@pytest.mark.parametrize(
    ("clicks", "shown"),
    [
        ((), "(120.0, 200.7)"),
        ((("a", 130.7),), "(131.0, 200.7)"),
        ((("a", 130.7), ("b", 160.7)), "(131.0, 161.0)"),
        ((("a", 130.7), ("a", 130.7)), "(120.0, 200.7)"),
        ((("b", 130.7), ("a", 160.7)), "(161.0, 200.7)"),
        ((("a", 160.7), ("b", 130.7)), "(120.0, 131.0)"),
        ((("b", 300.7),), "(120.0, 200.7)"),
    ],
)
def test_a_click_sets_a_moment_another_takes_it_back_and_a_stays_before_b(clicks, shown):
    assert after(*clicks) == shown
