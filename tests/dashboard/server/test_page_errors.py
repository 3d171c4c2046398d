"""What nobody expected: a sentence with an id on the page, the trace under that id in the log."""

import re

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.testing.v1 import AppTest

from evenkeel.dashboard.server import application


@pytest.fixture
def no_crash():
    """Crashes are what these tests are about."""


@pytest.fixture(autouse=True)
def _handled(monkeypatch):
    """AppTest knows no server: its runner gets the handler that the server gives to every
    session.
    """
    without = ScriptRunner.__init__
    monkeypatch.setattr(
        ScriptRunner,
        "__init__",
        lambda runner, *arguments, **named: without(
            runner, *arguments, **named, on_script_error=application.show_error
        ),
    )


def failing_page():
    raise ZeroDivisionError("a secret detail")


def failing_part():
    import streamlit as st

    st.text("before")
    st.fragment(lambda: 1 / 0)()


def failing_callback():
    import streamlit as st

    st.button("press", on_click=lambda: 1 / 0)


def bad_input():
    import streamlit as st

    from evenkeel.data.errors import SnapshotError

    def look():
        raise SnapshotError("evenkeel.toml: not *TOML*")

    st.fragment(look)()


def stopped_page():
    import streamlit as st

    st.text("here")
    st.stop()


def seen(script, press=False):
    app = AppTest.from_function(script).run()
    return app.button[0].click().run() if press else app


@pytest.mark.parametrize(
    ("script", "press"), [(failing_page, False), (failing_part, False), (failing_callback, True)]
)
def test_a_failure_is_one_sentence_with_the_id_of_its_trace_in_the_log(script, press, caplog):
    app = seen(script, press)

    (said,) = app.error
    (error_id,) = re.findall("error ([0-9a-f]{8})", said.value)
    (record,) = [record for record in caplog.records if record.name == "evenkeel"]
    assert len(app.exception) == 0
    assert error_id in record.getMessage()
    assert record.exc_info[0] is ZeroDivisionError
    assert "secret detail" not in said.value


def test_what_is_wrong_in_an_input_is_said_letter_by_letter_wherever_it_is_found():
    app = seen(bad_input)

    assert ([error.value for error in app.error], len(app.exception)) == (
        ["evenkeel\\.toml\\: not \\*TOML\\*"],
        0,
    )


def test_a_page_that_stops_itself_has_not_failed(caplog):
    app = seen(stopped_page)

    assert (
        len(app.error),
        len(app.exception),
        [record for record in caplog.records if record.name == "evenkeel"],
    ) == (0, 0, [])
