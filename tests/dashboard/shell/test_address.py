"""A fragment that has waited runs the whole page, but takes no step from a click or Back."""

import pytest
from streamlit.testing.v1 import AppTest


def _page(is_older):
    import streamlit as st

    from evenkeel.dashboard.shell import address

    st.session_state.runs = st.session_state.get("runs", 0) + 1
    address.begin()
    with address.drawn():
        address.show(candidate="lag")
    if st.session_state.runs == 1:
        if is_older:
            # The browser asked for the fragment before it had the address.
            st.query_params.clear()
        address.draw_again()
        st.text("waits for its next turn")


@pytest.mark.parametrize(
    ("is_older", "runs", "words"), [(False, 2, []), (True, 1, ["waits for its next turn"])]
)
def test_a_fragment_runs_the_page_only_where_the_browser_has_the_address_of_the_last_run(
    is_older, runs, words
):
    page = AppTest.from_function(_page, args=(is_older,)).run()

    assert not page.exception
    assert (page.session_state.runs, [text.value for text in page.text]) == (runs, words)


def _interrupted():
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from evenkeel.dashboard.shell import address

    st.session_state.runs = st.session_state.get("runs", 0) + 1
    address.begin()
    with address.drawn():
        group = address.take("group")
        address.show(group=group)
        if st.session_state.runs == 1:
            # As the browser's next request does while the page is drawn.
            get_script_run_ctx().script_requests.request_stop()
        st.text(group)


def test_a_run_that_the_browser_interrupts_leaves_the_address_to_the_next_one():
    page = AppTest.from_function(_interrupted)
    page.query_params["group"] = "orders"

    page.run()
    assert not page.text
    page.run()

    assert [text.value for text in page.text] == ["orders"]
    assert page.query_params["group"] == "orders"
