"""What did your tools print? Paste, upload or open an example, and see every assignor on it."""

import streamlit as st

from evenkeel.dashboard.opening import example_cards, import_result, intake, questions
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.rebalances import logs
from evenkeel.dashboard.shell import by_link, importing
from evenkeel.dashboard.whatif import scenario

st.html(
    '<h1 class="headline">Who owns what, how far behind, and what another assignor would do</h1>'
)
intake.show_reach()

left, right = st.columns([58, 42], gap="medium")
batch = importing.batch()
with left:
    if batch and import_result.show(batch):
        by_link.open_first()
    if not batch:
        if questions.waiting_for_numbers():
            named = questions.show_numbers()
        elif questions.waiting_for_columns():
            named = questions.show_columns()
        else:
            files = scenario.opened(logs.taken(intake.show()))
            named = questions.named(files)
            if named is None:
                questions.wait_for_columns(files)
                st.rerun()
        if named and questions.asks_for_numbers(named):
            st.rerun()
        found = (
            importing.read(named, questions.chosen_numbers(), questions.named_columns())
            if named
            else None
        )
        if found and importing.is_plain(found):
            by_link.open_first()
        if found or intake.show_stored():
            st.rerun()
with right:
    intake.show_levels(importing.level())

st.html('<h2 class="section" style="padding-top:6px">Or start from a worked example</h2>')
if example_cards.show():
    by_link.open_first()
if not batch:
    plot.load_ahead()
