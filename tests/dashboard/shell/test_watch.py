"""How often a live group is read again stands in the address."""

import pytest
from streamlit.testing.v1 import AppTest


def script():
    import streamlit as st

    from evenkeel.dashboard.shell import address, watch

    address.begin()
    with address.drawn():
        watch.seconds("watch-list")
        st.caption(str(watch.show("watch-list")))


def opened(**link):
    app = AppTest.from_function(script)
    for key, value in link.items():
        app.query_params[key] = value
    return app.run()


def test_an_interval_is_taken_from_the_address():
    assert opened(watch="30 s").caption[0].value == "30.0"


def test_an_interval_that_a_person_chooses_is_written_and_off_is_not():
    app = opened()
    app.segmented_control(key="watch-list").set_value("10 s").run()
    chosen = app.query_params.get("watch")
    app.segmented_control(key="watch-list").set_value("Off").run()

    assert (chosen, "watch" in app.query_params) == ("10 s", False)


@pytest.mark.parametrize("wrong", ["2 s", "", "often"])
def test_an_interval_that_there_is_not_is_one_line(wrong):
    app = opened(watch=wrong)

    assert app.caption[0].value == "None"
    assert [f"interval of Watch “{wrong}”" in warning.value for warning in app.warning] == [True]


def test_back_to_an_address_without_an_interval_turns_the_watch_off(monkeypatch):
    from evenkeel.dashboard.shell import address

    app = opened(watch="30 s")
    monkeypatch.setattr(address, "_is_gone_back", lambda: True)
    del app.query_params["watch"]

    assert app.run().caption[0].value == "None"
