"""Which groups of a live cluster lag, worst first."""

import streamlit as st

from dashboard import loading
from dashboard.widgets import cluster_choice, group_filters, group_rows, live_group, loaded_ahead

st.html('<h1 class="headline">Groups of a live cluster, worst first</h1>')

cluster = cluster_choice.show()
found = loading.live_list(cluster)
with st.container(horizontal=True, vertical_alignment="center"):
    wanted = group_filters.show(found.groups)
    st.space("stretch")
    cluster_choice.show_age(found)
picked = group_rows.show(wanted, len(found.groups))
if picked and live_group.open_now(cluster, picked):
    st.switch_page("app_pages/compare.py")
st.caption("Only describe, list and offset calls are sent to Kafka.")
loaded_ahead.show()
