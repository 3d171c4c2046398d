"""Makes the browser load the JavaScript of charts and tables ahead, while a person still copies a listing.

Else megabytes are fetched and parsed only when the answer is there.
"""

import streamlit as st

from evenkeel.dashboard.charts import frame

_component = st.components.v2.component("evenkeel.loaded_ahead", html="<i></i>")


def show() -> None:
    """Put one of each kind, empty, on the page; `page.css` hides them."""
    with st.container(key="loaded-ahead"):
        st.plotly_chart(frame.figure(frame.SMALLEST), key="chart-ahead", config=frame.CONFIG)
        st.selectbox("Loaded ahead", ("",), key="choice-ahead")
        st.dataframe({"": [""]}, key="table-ahead")
        _component(key="component-ahead")
