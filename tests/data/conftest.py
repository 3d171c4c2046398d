"""Tables from rows that name only what matters; hypothesis without time limits."""

import multiprocessing
import time
from multiprocessing.context import ForkServerContext

import pytest
from hypothesis import HealthCheck, settings
from pyspark.sql.pandas.types import from_arrow_schema

from evenkeel.data import clock
from evenkeel.data.group.tables import schemas

settings.register_profile(
    "no time limits", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("no time limits")


FORKED = (
    "tests.data.lake.runs.test_run",
    "tests.data.lake.slots.test_tidy",
    "tests.data.pipeline.collect.test_killed",
    "tests.data.shares.maker",
)
"""Modules whose functions run in processes of their own."""


@pytest.fixture(scope="session")
def forks() -> ForkServerContext:
    """Processes that start at once: what their functions need is imported already."""
    methods = multiprocessing.get_context("forkserver")
    # One server starts all processes of a run, and imports only what it knows at its start.
    methods.set_forkserver_preload([*FORKED])
    return methods


@pytest.fixture(scope="session")
def frame(spark):
    """Return a function (table, row, row, ...) -> DataFrame; a row is a dictionary, what it leaves
    out is null.
    """

    def build(table, *rows):
        schema = schemas.STORED[table]
        return spark.createDataFrame(
            [tuple(row.get(name) for name in schema.names) for row in rows],
            from_arrow_schema(schema),
        )

    return build


@pytest.fixture
def set_clock(monkeypatch):
    """Return a function that sets the clock of this process to so many seconds ahead of the
    machine's, negative for behind.
    """
    return lambda by: monkeypatch.setattr(clock, "seconds", lambda: time.time() + by)
