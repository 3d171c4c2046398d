"""A change that has one partition of each kind."""

import pytest

from tests.assignors.groups import assignment, group
from tests.dashboard.tables.changes import shown


@pytest.fixture
def switched():
    """A keeps t0-0, gives t0-1 to B and drops t1-1; t1-0, of unknown lag, goes from no
    owner to B.
    """
    snapshot = group({"t0": 2, "t1": 2}, A="t0 t1", B="t0 t1", lag=[100, 40, None, 60])
    return shown(
        snapshot,
        assignment(snapshot, A="t0-0 t0-1 t1-1"),
        assignment(snapshot, A="t0-0", B="t0-1 t1-0"),
    )
