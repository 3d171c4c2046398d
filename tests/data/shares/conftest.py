"""An empty store of shares, in each of the two databases."""

import pytest

from evenkeel.data.configuration import Configuration
from evenkeel.data.shares.database import database_url, engine_of, upgrade
from evenkeel.data.shares.shares import Shares
from tests.data.shares.clock import Clock


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of an empty database."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").database()
    return f"sqlite:///{tmp_path}/shares/shares.sqlite"


@pytest.fixture
def engines(url):
    """Return a maker of engines of one database."""
    made = []

    def engine():
        made.append(engine_of(database_url(Configuration(database_url=url))))
        return made[-1]

    yield engine
    for each in made:
        each.dispose()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(engines, clock):
    """Return a maker of stores over one database; it takes settings."""
    engine = engines()
    upgrade(engine)
    return lambda *settings: Shares(engine, *settings, clock=clock)
