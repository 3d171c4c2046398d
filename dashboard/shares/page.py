"""A frozen share: its figures stay the same when the group changes."""

import streamlit as st

from evenkeel.dashboard.rebalances import body
from evenkeel.dashboard.shares import links, opened_share
from evenkeel.dashboard.shares.loading.opened import OpenApplication, OpenRebalances, open_share
from evenkeel.dashboard.shares.loading.owners import owner
from evenkeel.data.errors import NoShareError

share_id = links.chosen_share()

if share_id is None:
    links.show_own_list()
    st.stop()

try:
    with st.spinner("Computing every answer …", show_time=True):
        share = open_share(share_id, owner())
except NoShareError as error:
    links.show_no_share(error)
    st.stop()

if isinstance(share, OpenRebalances):
    opened_share.show_top(share)
    body.show_share(share_id, share.group)
elif isinstance(share, OpenApplication):
    opened_share.show_application(share)
else:
    opened_share.show(share)
st.button("Your shares", icon=":material/list:", type="tertiary", on_click=links.close)
