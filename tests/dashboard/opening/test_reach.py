"""The box says who reaches the server."""

import pytest
import streamlit
from streamlit.testing.v1 import AppTest


def start_page():
    from evenkeel.dashboard.opening import intake

    intake.show_reach()


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("localhost", False),
        ("127.0.0.1", False),
        ("0.0.0.0", True),
        ("", True),
        ("10.4.1.17", True),
    ],
)
def test_a_server_that_other_machines_reach_says_that_it_has_no_login(
    monkeypatch, address, is_open
):
    monkeypatch.setattr(streamlit, "get_option", {"server.address": address}.get)

    assert [
        "has no login" in warning.value
        for warning in AppTest.from_function(start_page).run().warning
    ] == [True] * is_open
