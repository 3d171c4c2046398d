"""Groups that read a topic, by the last slot of a cluster."""

import json

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble


@pytest.fixture
def lake(tmp_path):
    """Three groups, each with topics of its own."""
    place = place_of(tmp_path / "lake")
    plan = plan_with_trouble(groups=3, partitions=4, members=2, days=0.05)
    write_lake(place, plan)
    return place.url, plan.topic_names(1)[0]


def test_the_groups_of_a_topic_are_listed_with_members_and_lag(lake, capsys):
    url, topic = lake

    assert main(["groups", "--cluster", CLUSTER, "--topic", topic, "--out", url, "--json"]) == 0

    (row,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (row["group_id"], row["members"]) == ("group-0001", 2)
    assert row["lag"] >= 0


def test_a_topic_that_nobody_reads_says_so(lake, capsys):
    url, _ = lake

    assert main(["groups", "--cluster", CLUSTER, "--topic", "unread", "--out", url]) == 0

    captured = capsys.readouterr()
    assert captured.out == ""
    assert "nobody reads unread in the slot of 2026-11-" in captured.err


def test_a_cluster_without_slots_is_refused(lake, capsys):
    url, topic = lake

    assert main(["groups", "--cluster", "other", "--topic", topic, "--out", url]) == 2

    assert "no slot of cluster other" in capsys.readouterr().err
