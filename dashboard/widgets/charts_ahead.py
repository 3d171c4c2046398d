"""Lets the browser load what draws charts while a listing is still being copied: it is megabytes of JavaScript, and the next page begins with charts."""

import streamlit as st

from dashboard.charts import frame

_KEY = "charts-ahead"


def show() -> None:
    """Put an empty figure on the page, which `page.css` hides."""
    with st.container(key=_KEY):
        st.plotly_chart(frame.figure(frame.SMALLEST), key="ahead", config=frame.CONFIG)
