"""The box for a listing or files, with questions about unclear files. The groups in the files are
opened at once.
"""

from collections.abc import Callable

import streamlit as st

from evenkeel.dashboard.opening import intake, questions
from evenkeel.dashboard.rebalances import logs
from evenkeel.dashboard.shell import by_link, importing
from evenkeel.dashboard.shell.navigation import HOME
from evenkeel.dashboard.whatif import scenario


def show(again: Callable[[], None], place: str = "") -> None:
    """Draw the box, or the question that is waiting for an answer. After the upload, open its only
    group, or its list of groups.

    `again`: function that draws this box again. `place`: end of the widgets' keys, so that a page
    can have two boxes.
    """
    if questions.waiting_for_numbers():
        files = questions.show_numbers()
    elif questions.waiting_for_columns():
        files = questions.show_columns()
    elif questions.waiting_for_topic():
        files = _named(questions.show_topic(), again)
    else:
        files = scenario.opened(logs.taken(intake.show(place)))
        if files and questions.asks_for_topic(files):
            again()
        files = _named(files, again)
    if not files:
        return
    if questions.asks_for_numbers(files):
        again()
    read = importing.read(files, questions.chosen_numbers(), questions.named_columns())
    if read is None:
        return
    if importing.is_plain(read):
        by_link.open_first()
    st.switch_page(HOME.script, query_params={"read": read.manifest.batch})


def _named(files: list[tuple[str, bytes]], again: Callable[[], None]) -> list[tuple[str, bytes]]:
    """Return the files if all headers are known; otherwise draw the question about them."""
    named = questions.named(files)
    if named is None:
        questions.wait_for_columns(files)
        again()
    return named or []


def show_stored(place: str = "") -> None:
    """Draw the select box of earlier uploads. Open the list of groups of the selected upload."""
    batch = intake.show_stored(place)
    if batch:
        st.switch_page(HOME.script, query_params={"read": batch})
