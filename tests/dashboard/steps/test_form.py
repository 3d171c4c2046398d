"""Fields of the forms of What-if."""

import pytest
from streamlit.testing.v1 import AppTest


def _script(kind):
    import streamlit as st

    from evenkeel.dashboard.steps.fields import Choices, show_fields
    from evenkeel.dashboard.whatif.loading import Stretch
    from evenkeel.data.scenarios.edits.edit import Field

    same = {"one": "pay", "two": "pay"}
    stretch = Stretch(3_600.0, 0.0, None)
    choices = Choices(
        members=same,
        processes=same,
        gone=same,
        stretches=[stretch, stretch._replace(seconds=3_600.4)],
    )
    st.session_state["chosen"] = show_fields(Field("key", "Label", kind), choices, None, "field")


@pytest.mark.parametrize("kind", ["members", "processes", "gone"])
def test_a_menu_of_several_tells_equal_labels_apart(kind):
    app = AppTest.from_function(_script, args=(kind,), default_timeout=60).run()

    assert app.multiselect[0].options == ["pay", "pay (2)"]
    app.multiselect[0].set_value(["one"]).run()
    assert app.session_state["chosen"] == ["one"]


def test_stretches_of_a_history_with_the_same_words_are_numbered():
    app = AppTest.from_function(_script, args=("rates",), default_timeout=60).run()

    words = "last 1 h: 0 records/s in, the read rate of members was not seen"
    assert app.selectbox[0].options == [words, f"{words} (2)"]
    app.selectbox[0].set_value(0).run()
    assert app.session_state["chosen"] == 3_600.0


@pytest.mark.parametrize("kind", ["member", "process"])
def test_a_menu_of_one_tells_equal_labels_apart(kind):
    app = AppTest.from_function(_script, args=(kind,), default_timeout=60).run()

    assert app.selectbox[0].options == ["pay", "pay (2)"]
    app.selectbox[0].set_value("one").run()
    assert app.session_state["chosen"] == "one"
