"""Snapshots of a live cluster in the lake, taken by the command as a user runs it."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient

from data.errors import SnapshotError
from data.lake import manifest, store
from data.pipeline.collect.collect import collect
from data.pipeline.collect.slots import PLANNED, STOPPED
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic
from tests.listening import listeners
from tests.waiting import lines_until, until

pytestmark = pytest.mark.timeout(900)  # two starts of Spark and of a broker

_LOADS = [{"group_id": "idle", "partition_count": 6}, {"group_id": "payments", "partition_count": 6}]
_RUN = "import sys; from data.commands.main import main; sys.exit(main())"


@pytest.fixture
def cluster(tmp_path):
    """A broker of its own with the group payments and the group idle, which has no members, and the environment that names it `local`."""
    with Brokers() as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
        create_topic(admin, "orders", 6)
        consumer = Consumer({"bootstrap.servers": broker.bootstrap(), "group.id": "payments", "client.id": "payer"})
        consumer.subscribe(["orders"])
        until(lambda: (consumer.poll(0.1), consumer.assignment())[1], pause=0)
        commit(admin, "idle", {("orders", 0): 0})
        configuration = tmp_path / "evenkeel.toml"
        configuration.write_text(f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n')
        yield broker, os.environ | {"EVENKEEL_CONFIG": str(configuration)}
        consumer.close()


def _collector(environment, lake, *more):
    command = [sys.executable, "-c", _RUN, "collect", "--cluster", "local", "--every", "5s", "--out", str(lake), *more]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def _answer_to_a_stranger(port):
    """Return what a listener of Python says to a call that carries no token."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as stranger, suppress(ConnectionResetError, TimeoutError):
        stranger.sendall(b"c\np0\ntoString\ne\n")
        stranger.shutdown(socket.SHUT_WR)
        return stranger.recv(1024)
    return b""


def _published(lake):
    return sorted((manifest.read(path) for path in (lake / "manifests").glob("*.json")), key=lambda one: one.batch)


def test_a_collector_is_alone_answers_no_stranger_and_keeps_what_it_reported_through_an_outage_and_a_kill(cluster, tmp_path):
    broker, environment = cluster
    lake = tmp_path / "lake"

    collector = _collector(environment, lake)
    lines_until(collector, "groups: 2; stored")
    broker.stop(signal.SIGKILL)
    outage = lines_until(collector, "gap: cluster local: no broker answers")[-1]
    broker.start()
    lines_until(collector, "groups: 2; stored")
    found = listeners(collector.pid)
    answers = {_answer_to_a_stranger(one.port) for one in found if one.command == "python"}
    until(lambda: any((lake / "running").glob("*.lock")), pause=0.005)
    os.killpg(collector.pid, signal.SIGKILL)
    collector.communicate()
    reported, killed = _published(lake), time.time()
    # A collector that is back within the next slot has no gap to tell.
    until(lambda: time.time() > killed + 2 * 5)
    collector = _collector(environment, lake)
    said = "".join(lines_until(collector, "groups: 2; stored"))
    with pytest.raises(SnapshotError, match=f"^cluster local is being collected into {lake} by another process$"):
        collect(None, "local", lake, every=5)
    collector.send_signal(signal.SIGINT)
    _, complaint = collector.communicate(timeout=120)

    published = _published(lake)
    assert {one.command for one in found} == {"java", "python"}
    assert [one for one in found if not one.is_on_loopback] == []
    assert not any(answer.startswith(b"!") for answer in answers), answers
    assert (collector.returncode, complaint) == (0, "")
    assert "UTC  gap: cluster local: no broker answers" in outage
    assert any(reason in said for reason in (STOPPED, PLANNED))
    assert [one for one in published if one in reported] == reported
    assert len({one.batch for one in published}) == len(published)
    named = {file for one in published for files in one.tables.values() for file in files}
    assert {str(path.relative_to(lake)) for path in lake.glob("*/*/*.parquet")} == named
    snapshots = [one for one in published if not one.gap]
    assert all(
        store.table(lake, one.batch, "GROUP_LOAD").select(["group_id", "partition_count"]).sort_by("group_id").to_pylist() == _LOADS
        for one in snapshots
    )
    owned = store.table(lake, snapshots[0].batch, "LAG").select(["group_id", "member_id"]).to_pylist()
    assert (
        sorted((row["group_id"], (row["member_id"] or "").partition("-")[0]) for row in owned)
        == [("idle", "")] * 6 + [("payments", "payer")] * 6
    )
