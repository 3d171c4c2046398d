"""What somebody froze: the same numbers, whatever has happened to the group since."""

import streamlit as st

from evenkeel.dashboard.loading.shares import OpenApplication, open_share, owner
from evenkeel.dashboard.widgets.shares import chosen_share, no_share, own_list
from evenkeel.dashboard.widgets.shares.page import shown_application, shown_share
from evenkeel.data.errors import NoShareError

share_id = chosen_share.chosen()

if share_id is None:
    own_list.show()
    st.stop()

try:
    with st.spinner("Computing every answer …", show_time=True):
        share = open_share(share_id, owner())
except NoShareError as error:
    no_share.show(error)
    st.stop()

(shown_application if isinstance(share, OpenApplication) else shown_share).show(share)
st.button("Your shares", icon=":material/list:", type="tertiary", on_click=chosen_share.close)
