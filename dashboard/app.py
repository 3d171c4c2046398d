"""Evenkeel's pages: who owns which partition, how far behind, and what every assignor would do.

Run with `python -m streamlit run dashboard/app.py`.
Streamlit imports this file once for `app`, the server, and runs it again for each look at a page.
"""

import streamlit as st

if st.runtime.exists():
    from dashboard.server import navigation

    navigation.show()
else:
    from dashboard.server import unexpected
    from dashboard.server.guard import GUARD

    app = st.App(__file__, middleware=[GUARD], on_script_error=unexpected.show)
