"""Evenkeel's pages: owner of each partition, lag, and the answer of every assignor.

Run with `python -m streamlit run dashboard/app.py`. Streamlit imports this file once for `app`, the
server, and runs it again for each view of a page.
"""

import streamlit as st

if st.runtime.exists():
    from evenkeel.dashboard.server import navigation
    from evenkeel.dashboard.server.metrics import RERUNS

    with RERUNS.time():
        navigation.show()
else:
    from evenkeel.dashboard.server import login, proxy
    from evenkeel.dashboard.server.application import MIDDLEWARE, ROUTES, lifespan, show_error

    proxy.see_peers()
    # Not in a function, because `streamlit run` searches this file for these words.
    app = st.App(
        __file__,
        lifespan=lifespan,
        routes=ROUTES,
        middleware=MIDDLEWARE,
        on_script_error=show_error,
        **login.settings(),
    )
