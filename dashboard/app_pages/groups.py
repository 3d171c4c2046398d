"""Which groups of a live cluster lag, worst first."""

import streamlit as st

from dashboard.widgets import live_list, loaded_ahead

st.html('<h1 class="headline">Groups of a live cluster, worst first</h1>')

live_list.show()
st.caption("Only describe, list and offset calls are sent to Kafka.")
loaded_ahead.show()
