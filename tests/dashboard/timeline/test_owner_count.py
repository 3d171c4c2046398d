"""Of how many partitions the Timeline draws owners."""

from streamlit.testing.v1 import AppTest


def page():
    from types import SimpleNamespace

    import streamlit as st

    from evenkeel.dashboard.shell import address
    from evenkeel.dashboard.timeline import picture

    sizes = (12, 40) if st.session_state.get("large", True) else (8,)
    shown = SimpleNamespace(
        partition_count=st.session_state.get("count", 100),
        owned=[SimpleNamespace(partitions=("t-0",) * size) for size in sizes],
    )
    address.begin()
    with address.drawn():
        st.text(str(len(picture.owners_shown(shown).partitions)))
        picture.choose_owners(shown)


def test_few_rows_are_drawn_and_more_on_request_which_stands_in_the_address():
    app = AppTest.from_function(page).run()
    first = app.text[0].value, app.button(key="owners-button").label, "owners" in app.query_params

    app.button(key="owners-button").click().run()

    assert first == ("12", "Owners of the 40 worst partitions", False)
    assert (app.text[0].value, app.button(key="owners-button").label) == (
        "40",
        "Owners of the 12 worst partitions only",
    )
    assert app.query_params["owners"] in ("many", ["many"])


def test_where_more_are_all_it_says_so():
    app = AppTest.from_function(page)
    app.session_state["count"] = 40

    assert app.run().button(key="owners-button").label == "Owners of all 40 partitions"


def test_a_group_whose_partitions_all_fit_has_nothing_to_choose():
    app = AppTest.from_function(page)
    app.session_state["large"] = False

    assert (app.run().text[0].value, len(app.button)) == ("8", 0)
