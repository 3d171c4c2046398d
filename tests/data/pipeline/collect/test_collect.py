"""Snapshots of a live cluster in the lake, taken by the command as a user runs it."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from datetime import timedelta

import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient

from data.errors import SnapshotError
from data.lake import manifest, store
from data.lake.place import place_of
from data.lake.slots import slot_batches
from data.pipeline.collect.collect import collect
from data.pipeline.collect.slots import PLANNED, STOPPED
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic
from tests.listening import listeners
from tests.waiting import lines_until, until

pytestmark = pytest.mark.timeout(900)  # two starts of Spark and of a broker

_LOADS = [{"group_id": "idle", "partition_count": 6}, {"group_id": "payments", "partition_count": 6}]
_EVERY = 5
_RUN = """
import sys
from datetime import timedelta
from data.commands.main import main
from data.lake.runs import lease
lease.LASTS, lease.RENEWED_AFTER = timedelta(seconds=6), timedelta(seconds=1)
sys.exit(main())
"""
"""A collector whose lease is soon over."""


@pytest.fixture(params=["folder", "s3"])
def lake(request, tmp_path):
    """The lake, in a folder and in object storage."""
    return place_of(tmp_path / "lake") if request.param == "folder" else request.getfixturevalue("bucket") / "lake"


@pytest.fixture
def cluster(tmp_path, lake):
    """A broker with the group payments and the group idle, which has no members, and the environment that names it `local` and the lake."""
    with Brokers() as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap()})
        create_topic(admin, "orders", 6)
        consumer = Consumer({"bootstrap.servers": broker.bootstrap(), "group.id": "payments", "client.id": "payer"})
        consumer.subscribe(["orders"])
        until(lambda: (consumer.poll(0.1), consumer.assignment())[1], pause=0)
        commit(admin, "idle", {("orders", 0): 0})
        configuration = tmp_path / "evenkeel.toml"
        settings = dict(lake.settings)
        keys = [f'{ours} = "{settings[theirs]}"' for ours, theirs in (("endpoint",) * 2, ("region",) * 2) if theirs in settings]
        keys += ['access_key = {env = "LAKE_KEY"}', 'secret_key = {env = "LAKE_SECRET"}'] if settings else []
        secrets = {"LAKE_KEY": settings["access_key_id"], "LAKE_SECRET": settings["secret_access_key"]} if settings else {}
        cluster = f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
        configuration.write_text("\n".join(["[lake]", f'path = "{lake}"', *keys, cluster]))
        yield broker, os.environ | secrets | {"EVENKEEL_CONFIG": str(configuration)}
        consumer.close()


def _collector(environment, lake):
    command = [sys.executable, "-c", _RUN, "collect", "--cluster", "local", "--every", f"{_EVERY}s", "--out", str(lake)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def _answer_to_a_stranger(port):
    """Return what a listener of Python says to a call that carries no token."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as stranger, suppress(ConnectionResetError, TimeoutError):
        stranger.sendall(b"c\np0\ntoString\ne\n")
        stranger.shutdown(socket.SHUT_WR)
        return stranger.recv(1024)
    return b""


def _published(lake):
    return [manifest.read(lake, name.removesuffix(".json")) for name in lake.names("manifests")]


def _slots(one):
    """Return the slots that a manifest stands for: those of a gap, or the one in its name."""
    if not one.gap:
        return [slot_batches.time_of(one.batch)]
    count = (one.gap_until - one.taken_at) // timedelta(seconds=_EVERY) + 1
    return [one.taken_at + number * timedelta(seconds=_EVERY) for number in range(count)]


def test_a_collector_is_alone_answers_no_stranger_and_keeps_what_it_reported_through_an_outage_and_a_kill(cluster, lake):
    broker, environment = cluster

    collector = _collector(environment, lake)
    lines_until(collector, "groups: 2; stored")
    broker.stop(signal.SIGKILL)
    outage = lines_until(collector, "gap: cluster local: no broker answers")[-1]
    broker.start()
    lines_until(collector, "groups: 2; stored")
    found = listeners(collector.pid)
    answers = {_answer_to_a_stranger(one.port) for one in found if one.command == "python"}
    begun = until(lambda: [one for one in lake.names("leases") if lake.names(f"OFFSETS/{one}")], pause=0.005)
    os.killpg(collector.pid, signal.SIGKILL)
    collector.communicate()
    reported, killed = _published(lake), time.time()
    # A collector that is back within the next slot has no gap to tell.
    until(lambda: time.time() > killed + 2 * _EVERY)
    collector = _collector(environment, lake)
    said = "".join(lines_until(collector, "groups: 2; stored"))
    alone = f"^cluster local is being collected into {lake} by another process; after one that was killed, try again in 90 s$"
    with pytest.raises(SnapshotError, match=alone):
        collect(None, "local", lake, every=_EVERY)
    collector.send_signal(signal.SIGINT)
    _, complaint = collector.communicate(timeout=120)

    published = _published(lake)
    assert {one.command for one in found} <= {"java", "python"}
    assert [one for one in found if not one.is_on_loopback] == []
    assert not any(answer.startswith(b"!") for answer in answers), answers
    assert (collector.returncode, complaint) == (0, "")
    assert "UTC  gap: cluster local: no broker answers" in outage
    assert STOPPED in said
    assert [one for one in published if one in reported] == reported
    slots = [slot for one in published for slot in _slots(one)]
    every = timedelta(seconds=_EVERY)
    assert sorted(slots) == [min(slots) + number * every for number in range((max(slots) - min(slots)) // every + 1)]
    assert {one.batch: one.gap for one in published}[begun[0]] in (PLANNED, None)
    named = {file for one in published for files in one.tables.values() for file in files}
    stored = {found.key for found in lake.found() if not found.key.startswith("manifests/")}
    assert stored == named
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
