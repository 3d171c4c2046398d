"""What did your tools print? Paste, upload or open an example, and see every assignor on it."""

import streamlit as st

from evenkeel.dashboard.widgets.opening import by_link, importing
from evenkeel.dashboard.widgets.parts import preload
from evenkeel.dashboard.widgets.start import (
    example_cards,
    import_result,
    intake,
    levels,
    mapping_form,
    number_style,
    reach,
    scenario_file,
    stored_batches,
    waiting_files,
)

st.html('<h1 class="headline">Who owns what, how far behind, and what another assignor would do</h1>')
reach.show()

left, right = st.columns([58, 42], gap="medium")
batch = importing.batch()
with left:
    if batch and import_result.show(batch):
        by_link.open_first()
    if not batch:
        if number_style.waiting():
            named = number_style.show()
        elif waiting_files.waiting():
            named = mapping_form.show()
        else:
            files = scenario_file.opened(intake.show())
            named = waiting_files.named(files)
            if named is None:
                waiting_files.ask(files)
                st.rerun()
        if named and number_style.asks(named):
            st.rerun()
        found = importing.read(named, number_style.chosen(), waiting_files.named_columns()) if named else None
        if found and importing.is_plain(found):
            by_link.open_first()
        if found or stored_batches.show():
            st.rerun()
with right:
    levels.show(importing.level())

st.html('<h2 class="section" style="padding-top:6px">Or start from a worked example</h2>')
if example_cards.show():
    by_link.open_first()
if not batch:
    preload.show()
