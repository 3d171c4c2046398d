"""What the server has beside Streamlit's own: routes for other programs, what surrounds every answer, and what begins with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from dashboard.server import shutdown
from dashboard.server.api.health import HEALTH
from dashboard.server.api.metrics import METRICS, SESSIONS
from dashboard.server.api.scenarios import SCENARIOS
from dashboard.server.api.shares import SHARES
from dashboard.server.guard import GUARD
from dashboard.server.owner_cookie import OWNER_COOKIE
from data.shares import expiry

ROUTES = (SHARES, SCENARIOS, HEALTH, METRICS)
MIDDLEWARE = (GUARD, OWNER_COOKIE, SESSIONS)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Begin to delete expired shares when the server starts, and limit how long it takes to end."""
    expiry.start()
    shutdown.limit()
    yield
