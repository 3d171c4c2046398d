"""Snapshots of a live cluster in the lake, taken by the command as a user runs it, into a folder
and into object storage at once.
"""

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

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.history import change_store
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots import slot_batches
from evenkeel.data.pipeline.collect import collect
from evenkeel.data.pipeline.snapshots import PLANNED, STOPPED
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic
from tests.listening import listeners
from tests.waiting import lines_until, until

pytestmark = pytest.mark.timeout(900)  # two starts of Spark, twice, and of a broker

_LOADS = [
    {"group_id": "idle", "partition_count": 6},
    {"group_id": "payments", "partition_count": 6},
]
_EVERY, _LEASE_SECONDS = 3, 6
_RUN = f"""
import sys
from datetime import timedelta
from evenkeel.data.commands.main import main
from evenkeel.data.lake import lease
lease.LASTS, lease.RENEWED_AFTER = timedelta(seconds={_LEASE_SECONDS}), timedelta(seconds=1)
sys.exit(main())
"""
"""A collector whose lease is soon over."""


@pytest.fixture
def lakes(bucket, tmp_path):
    """A lake in a folder and one in object storage."""
    return [place_of(tmp_path / "lake"), bucket / "lake"]


@pytest.fixture
def broker():
    """A broker of its own with the group payments and the group idle, which has no members."""
    with Brokers() as started:
        admin = AdminClient({"bootstrap.servers": started.bootstrap()})
        create_topic(admin, "orders", 6)
        consumer = Consumer(
            {"bootstrap.servers": started.bootstrap(), "group.id": "payments", "client.id": "payer"}
        )
        consumer.subscribe(["orders"])
        until(lambda: (consumer.poll(0.1), consumer.assignment())[1], pause=0)
        commit(admin, "idle", {("orders", 0): 0})
        yield started
        consumer.close()


@pytest.fixture
def collector(broker, tmp_path):
    """Return a function that starts to collect this broker, as `local`, into a lake."""

    def start(lake):
        settings = dict(lake.settings)
        keys = [
            f'{ours} = "{settings[theirs]}"'
            for ours, theirs in (("endpoint",) * 2, ("region",) * 2)
            if theirs in settings
        ]
        keys += (
            ['access_key = {env = "LAKE_KEY"}', 'secret_key = {env = "LAKE_SECRET"}']
            if settings
            else []
        )
        secrets = (
            {"LAKE_KEY": settings["access_key_id"], "LAKE_SECRET": settings["secret_access_key"]}
            if settings
            else {}
        )
        configuration = tmp_path / f"{'bucket' if settings else 'folder'}.toml"
        cluster = f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
        configuration.write_text("\n".join(["[lake]", f'path = "{lake}"', *keys, cluster]))
        command = [
            sys.executable,
            "-c",
            _RUN,
            "collect",
            "--cluster",
            "local",
            "--every",
            f"{_EVERY}s",
            "--out",
            str(lake),
        ]
        environment = os.environ | secrets | {"EVENKEEL_CONFIG": str(configuration)}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )

    return start


def _answer_to_a_stranger(port):
    """Return what a listener of Python says to a call that carries no token."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=5) as stranger,
        suppress(ConnectionResetError, TimeoutError),
    ):
        stranger.sendall(b"c\np0\ntoString\ne\n")
        stranger.shutdown(socket.SHUT_WR)
        return stranger.recv(1024)
    return b""


def published_in(lake):
    return [manifest.read(lake, name.removesuffix(".json")) for name in lake.names("manifests")]


def _killed_in_a_slot(collector, lake):
    """Kill a collector that has written the first files of a slot; return the batch of that slot,
    and what was published.
    """
    begun = until(
        lambda: [one for one in lake.names("leases") if lake.names(f"OFFSETS/{one}")], pause=0.005
    )
    os.killpg(collector.pid, signal.SIGKILL)
    collector.communicate()
    return begun[0], published_in(lake)


def _slots(one):
    """Return the slots that a manifest stands for: those of a gap, or the one in its name."""
    if not one.gap:
        return [slot_batches.time_of(one.batch)]
    count = (one.gap_until - one.taken_at) // timedelta(seconds=_EVERY) + 1
    return [one.taken_at + number * timedelta(seconds=_EVERY) for number in range(count)]


def _assert_every_slot_is_there_once_and_nothing_without_a_manifest(lake, published):
    slots = [slot for one in published for slot in _slots(one)]
    every = timedelta(seconds=_EVERY)
    assert sorted(slots) == [
        min(slots) + number * every for number in range((max(slots) - min(slots)) // every + 1)
    ]
    named = {file for one in published for files in one.tables.values() for file in files}
    # The changes of verdicts, of which a slow machine's collector stores the first here, are a
    # chain of their own.
    assert {
        found.key
        for found in lake.found()
        if not found.key.startswith(("manifests/", f"{change_store.FOLDER}/"))
    } == named


def _assert_snapshots_are_whole(lake, snapshots):
    for one in snapshots:
        loads = (
            store.table(lake, one.batch, "GROUP_LOAD")
            .select(["group_id", "partition_count"])
            .sort_by("group_id")
        )
        assert loads.to_pylist() == _LOADS
    owned = (
        store.table(lake, snapshots[0].batch, "LAG").select(["group_id", "member_id"]).to_pylist()
    )
    owners = sorted((row["group_id"], (row["member_id"] or "").partition("-")[0]) for row in owned)
    assert owners == [("idle", "")] * 6 + [("payments", "payer")] * 6


def test_a_collector_is_alone_and_its_reports_outlive_an_outage_and_a_kill(
    broker, lakes, collector
):
    running = [collector(lake) for lake in lakes]
    for one in running:
        lines_until(one, "groups: 2; stored")
    broker.stop(signal.SIGKILL)
    outages = [lines_until(one, "gap: cluster local: no broker answers")[-1] for one in running]
    broker.start()
    for one in running:
        lines_until(one, "groups: 2; stored")
    found = [listener for one in running for listener in listeners(one.pid)]
    answers = {_answer_to_a_stranger(one.port) for one in found if one.command == "python"}
    killed = [_killed_in_a_slot(one, lake) for one, lake in zip(running, lakes, strict=True)]
    # A collector that is back within the next slot has no gap to tell, and before the lease is over
    # it is not let in.
    time.sleep(max(2 * _EVERY, _LEASE_SECONDS) + 1)
    running = [collector(lake) for lake in lakes]
    said = ["".join(lines_until(one, "groups: 2; stored")) for one in running]
    for lake in lakes:
        alone = (
            f"^another process collects cluster local into {lake}; if that process was killed, try"
            " again in 90 s$"
        )
        with pytest.raises(SnapshotError, match=alone):
            collect(None, "local", lake, every=_EVERY)
    for one in running:
        one.send_signal(signal.SIGINT)
    ended = [(one.communicate(timeout=500)[1], one.returncode) for one in running]

    assert ended == [("", 0)] * 2
    assert {one.command for one in found} <= {"java", "python"}
    assert [one for one in found if not one.is_on_loopback] == []
    assert not any(answer.startswith(b"!") for answer in answers), answers
    assert all("UTC  gap: cluster local: no broker answers" in one for one in outages)
    assert all(STOPPED in one for one in said)
    for lake, (begun, reported) in zip(lakes, killed, strict=True):
        published = published_in(lake)
        assert [one for one in published if one in reported] == reported
        assert {one.batch: one.gap for one in published}[begun] in (PLANNED, None)
        _assert_every_slot_is_there_once_and_nothing_without_a_manifest(lake, published)
        _assert_snapshots_are_whole(lake, [one for one in published if not one.gap])
