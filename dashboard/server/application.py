"""What the server has beside Streamlit's own: routes for other programs, what surrounds every answer, and what begins with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from evenkeel.dashboard.server import shutdown
from evenkeel.dashboard.server.api.health import HEALTH, note_lake
from evenkeel.dashboard.server.api.metrics import METRICS, SESSIONS
from evenkeel.dashboard.server.api.scenarios import SCENARIOS
from evenkeel.dashboard.server.api.shares import SHARES
from evenkeel.dashboard.server.assets import ASSETS
from evenkeel.dashboard.server.bodies import BODIES
from evenkeel.dashboard.server.guard import GUARD
from evenkeel.dashboard.server.hosts import HOSTS
from evenkeel.dashboard.server.owner_cookie import OWNER_COOKIE
from evenkeel.data.pipeline import uploads
from evenkeel.data.shares.store import start_sweeping

ROUTES = (SHARES, SCENARIOS, HEALTH, METRICS)
MIDDLEWARE = (GUARD, HOSTS, ASSETS, BODIES, OWNER_COOKIE, SESSIONS)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Note the lake, begin to delete expired shares and what uploads have left, and limit how long the server takes to end."""
    note_lake()
    start_sweeping()
    uploads.start_sweep()
    shutdown.limit()
    yield
