"""One real Kafka broker for all tests that change nothing of its rights, one S3 service, one
PostgreSQL, one Spark session.
"""

import gc
import os
import sys

# Before numpy is loaded, for this process and those that tests start: none of their matrix products
# is large enough for a second thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Settings of the shell are not those of the tests: a lake of its own would be read and written.
for name in [name for name in os.environ if name.startswith("EVENKEEL_")]:
    del os.environ[name]

import pytest

from tests.brokers.broker import Brokers
from tests.copied_tree import CopiedTree
from tests.rooms import Rooms, is_quick, refuse_programs, turn, without_tests
from tests.services.faulty_s3 import FaultyS3
from tests.services.postgres import Postgres
from tests.services.s3 import S3

_COLLECT_EVERY = 50_000
"""Objects made between two searches for garbage: modules and the list of all tests, a million
objects, are none.
"""


def pytest_addoption(parser):
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out tests that start a broker, a browser, Spark or another JVM",
    )


def pytest_configure(config):
    gc.set_threshold(_COLLECT_EVERY)
    # Processes of a parallel run inherit it from the first one.
    if config.option.quick and not hasattr(config, "workerinput"):
        config.add_cleanup(refuse_programs().cleanup)


def pytest_xdist_make_scheduler(config, log):
    return Rooms(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    option = config.option
    is_whole = not (option.ignore or option.ignore_glob or getattr(option, "lf", False))
    collected = [arg.removesuffix("/") for arg in config.args if is_whole and "::" not in arg]
    if lines := without_tests((item.nodeid for item in items), collected):
        # Not an exception: a process of a parallel run would not say which one.
        config.hook.pytest_collectreport(
            report=pytest.CollectReport("tests/rooms.py", "failed", lines, [])
        )
    items.sort(key=lambda item: turn(item.nodeid))
    if config.option.quick:
        config.hook.pytest_deselected(items=[item for item in items if not is_quick(item.nodeid)])
        items[:] = [item for item in items if is_quick(item.nodeid)]


def pytest_collection_finish():
    # All modules are loaded now and stay: a search for garbage need not walk them again.
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """End the brokers of a room with it: a start takes 3 s of the processor, and so do 90 s in
    which nobody asks.
    """
    if nextitem is not None and turn(nextitem.nodeid) != turn(item.nodeid):
        for name in ("broker", "racks"):
            for fixture in item.session._fixturemanager.getfixturedefs(name, item) or ():
                fixture.finish(item._request)


@pytest.fixture(autouse=True)
def own_main():
    """Give the process its main module back: AppTest puts the script of a page there, and a process
    that is spawned later would run it.
    """
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(autouse=True)
def own_audit():
    """Write what the audit has counted while the test is there: a minute later it would stand in
    the output of another one.
    """
    yield
    if "evenkeel.data.audit" in sys.modules:
        sys.modules["evenkeel.data.audit"].flush()


@pytest.fixture(scope="session", autouse=True)
def no_power_fails():
    """Wait for no disk: what tests write is read while the machine runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def broker():
    """The broker."""
    with Brokers(logs_requests=True) as started:
        yield started


@pytest.fixture(scope="session")
def spark():
    from evenkeel.data.pipeline.session import QUICK, session

    started = session("local[2]", QUICK)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def s3():
    """The S3 service."""
    with S3() as started:
        yield started


@pytest.fixture
def bucket(s3):
    """The place of an empty bucket."""
    return s3.bucket()


@pytest.fixture
def faulty_s3(s3):
    """The S3 service behind a proxy that spoils requests."""
    with FaultyS3(s3) as started:
        yield started


@pytest.fixture(scope="session")
def copied_tree(tmp_path_factory):
    """A copy of the tree, made once: each test takes away what it has added."""
    return CopiedTree(tmp_path_factory.mktemp("copied"))


@pytest.fixture(scope="session")
def postgres():
    """The PostgreSQL service."""
    with Postgres() as started:
        yield started
