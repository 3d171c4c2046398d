"""A real cluster from Python: the group, the list of groups, and the refusals of the
command line.
"""

import json

import pytest
from confluent_kafka.admin import AdminClient

import evenkeel
from evenkeel.data.commands.main import main
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic


@pytest.fixture
def cluster(broker, tmp_path, monkeypatch):
    """A cluster that the configuration names `local`, with a group that has committed and has no
    members.
    """
    admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
    create_topic(admin, "from-python", 2)
    commit(admin, "programs", {("from-python", 0): 0})
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    return evenkeel.connect("local")


def test_a_group_is_what_the_command_line_reads_and_one_that_is_not_there_is_refused(
    cluster, capsys
):
    group = cluster.group("programs")

    assert main(["snapshot", "--cluster", "local", "--group", "programs"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert json.loads(group.to_json()) | {"taken_at": None} == listed | {"taken_at": None}
    assert [
        (row["partition"], row["committed_offset"], row["lag"]) for row in group.partitions()
    ] == [(0, 0, 0), (1, None, None)]
    assert "programs" in [row["group_id"] for row in cluster.groups()]
    with pytest.raises(evenkeel.Error, match='cluster local: no group "nobody" among the'):
        cluster.group("nobody")
    with pytest.raises(evenkeel.Error, match="programs is a consumer group, expected group"):
        cluster.application("programs")
