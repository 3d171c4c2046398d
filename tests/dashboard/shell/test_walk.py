"""The walk through the groups that need the reader."""

import pytest

from evenkeel.dashboard.shell import walk
from evenkeel.dashboard.shell.walk import Step, Stop
from evenkeel.dashboard.view import OpenGroup

STOPS = [Stop(name, {"cluster": "c", "group": name}) for name in ("a", "b", "c")]


@pytest.fixture(autouse=True)
def listed(monkeypatch):
    monkeypatch.setattr(walk, "cluster_of", lambda group: "c")
    monkeypatch.setattr(walk.st, "session_state", {})
    walk.remember("c", STOPS)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("a", Step(1, 3, None, STOPS[1].link)),
        ("b", Step(2, 3, STOPS[0].link, STOPS[2].link)),
        ("c", Step(3, 3, STOPS[1].link, None)),
        ("fine", None),
    ],
)
def test_a_group_knows_its_neighbours_in_the_order_of_home(name, step):
    assert walk.step(OpenGroup(batch="later", group_id=name)) == step


def test_a_group_of_another_cluster_is_not_in_the_walk(monkeypatch):
    monkeypatch.setattr(walk, "cluster_of", lambda group: "other")

    assert walk.step(OpenGroup(batch="later", group_id="a")) is None
