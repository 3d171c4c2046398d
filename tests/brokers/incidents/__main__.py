"""Incidents of real groups at once, which `evenkeel collect` records and `evenkeel findings` is
asked about: what is missed, false or wrong, by the truth of this script.

python -m tests.brokers.incidents takes eight minutes.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from tests.brokers.broker import Brokers
from tests.brokers.incidents.clients import Member, Records, goes_back
from tests.brokers.incidents.truth import Expected, judged
from tests.brokers.topics import create_topics
from tests.waiting import until

_EVERY, _END, _RATE = 5, 350, 8.0
_SIZES = {
    "stop": 2, "stall": 4, "slow": 2, "txn": 1, "left-a": 2, "left-b": 2, "half-a": 2, "half-b": 2,
    "grew": 2, "retention": 1, "memory": 1, "rewind": 1, "steady": 1, "bursts": 1, "hot": 3,
    "idle": 2, "flap": 4, "static": 3, "leaderless": 2,
}  # fmt: skip
_MINUTE = {"retention.ms": "60000", "segment.ms": "10000"}
_SETTINGS = {"log.retention.check.interval.ms": "2000"}


class Script:
    """Groups of the incidents, and what is done to them: seconds since the first slot."""

    def __init__(self, brokers: Brokers):
        self._brokers, self._address = brokers, brokers.bootstrap()
        self._admin = AdminClient({"bootstrap.servers": self._address, "log_level": 0})
        self._make_topics()
        self._records = Records(
            self._address,
            {(name, tp): _RATE for name, size in _SIZES.items() for tp in range(size)},
        )
        self._of = {name: self._members(name) for name in _GROUPS}
        self._begin, self._transaction = 0.0, None
        self.expected: list[Expected] = []
        self.allowed = [("flap", "bursts")]

    def run(self, begin: float) -> None:
        """Do everything in order, until the end."""
        self._begin = begin
        for moment, work in sorted(self._plan(), key=lambda each: each[0]):
            time.sleep(max(begin + moment - time.time(), 0))
            work()
        time.sleep(max(begin + _END - time.time(), 0))

    def end(self) -> None:
        """Let every client leave."""
        self._records.end()
        for members in self._of.values():
            for member in members:
                member.leave()

    def _make_topics(self) -> None:
        # Whatever stops later has nothing but one partition.
        compact = {"cleanup.policy": "compact"}
        own = [
            NewTopic("__consumer_offsets", 4, replica_assignment=[[1]] * 4, config=compact),
            NewTopic("__transaction_state", 2, replica_assignment=[[1]] * 2, config=compact),
        ]
        topics = [
            NewTopic(
                name,
                size,
                replica_assignment=[[1], [2]] if name == "leaderless" else [[1]] * size,
                config=_MINUTE if name in ("retention", "memory") else {},
            )
            for name, size in _SIZES.items()
        ]
        create_topics(self._admin, own + topics)

    def _members(self, group: str) -> list[Member]:
        return [self._member(group, number) for number in range(_GROUPS[group][0])]

    def _member(self, group: str, number: int) -> Member:
        _, topics, settings = _GROUPS[group]
        own = {"group_instance_id": f"static-{number}"} if group == "static" else {}
        return Member(self._address, group, f"{group}-{number}", *topics, **settings, **own)

    def _now(self) -> float:
        return time.time() - self._begin

    def _expect(self, group: str, *codes: str, **facts: object) -> Expected:
        facts = {"since": self._now()} | facts
        expected = Expected(group, codes, **facts)
        self.expected.append(expected)
        return expected

    def _plan(self) -> list[tuple[float, Callable[[], object]]]:
        bursts = [
            (moment, lambda: self._records.write("bursts", 0, 250))
            for moment in range(60, _END, 60)
        ]
        flaps = [
            (90 + 25 * turn + away, lambda away=away: self._flap(away))
            for turn in range(6)
            for away in (0, 11)
        ]
        deploys = [
            (110 + 30 * number + away, lambda number=number, away=away: self._deploy(number, away))
            for number in range(3)
            for away in (0, 7)
        ]
        return [
            *bursts,
            *flaps,
            *deploys,
            (0, self._idle),
            (90, self._stop),
            (92, self._stall),
            (94, self._slow_down),
            (96, self._leave),
            (98, self._lose),
            (102, self._grow),
            (107, self._heat),
            (112, self._open_transaction),
            (147, self._rewind),
            (232, self._commit_transaction),
            (262, self._resume),
            (302, self._stop_leader),
        ]

    def _idle(self) -> None:
        self._expect("idle", "idle", since=None, members=["any"])

    def _stop(self) -> None:
        self._expect("stop", "down", partitions=["stop-0", "stop-1"])
        for member in self._of.pop("stop"):
            member.leave()

    def _stall(self) -> None:
        member = self._of["stall"][1]
        member.is_paused = True
        # The range assignor gives the second member the second half.
        self._stalled = self._expect(
            "stall", "stalled", "stuck", partitions=["stall-2", "stall-3"], members=["stall-1"]
        )

    def _resume(self) -> None:
        self._of["stall"][1].is_paused = False
        self._stalled.until = self._now()

    def _slow_down(self) -> None:
        for group, pace in (("slow", _RATE), ("memory", _RATE / 2)):
            self._of[group][0].pace = pace
        parts = [f"slow-{number}" for number in range(2)]
        # Half of 16 records/s: 60 s behind after 120 s.
        self._expect("slow", "never_drains", partitions=parts, members=["slow-0"], tolerance=13)
        self._expect(
            "slow",
            "over_slo",
            since=self._now() + 120,
            partitions=parts,
            tolerance=40,
            is_folded=True,
        )
        for code, is_folded in (("loses", False), ("never_drains", True)):
            self._expect(
                "memory",
                code,
                partitions=["memory-0"],
                members=["memory-0"],
                tolerance=13,
                is_folded=is_folded,
            )

    def _leave(self) -> None:
        self._expect("left", "left", partitions=["left-b-0", "left-b-1"])
        for group, members in (("left", self._of["left"]), ("half", self._of["half"][:1])):
            for member in members:
                member.order(lambda consumer, group=group: consumer.subscribe([f"{group}-a"]))

    def _lose(self) -> None:
        for member in self._of.pop("retention"):
            member.leave()
        since = self._now()
        for code in ("down", "loses"):
            self._expect("retention", code, since=since, partitions=["retention-0"], is_folded=True)
        # A segment of 10 s is deleted up to 2 s after its last record is 60 s old.
        self._expect(
            "retention", "lost", since=since + 66, partitions=["retention-0"], tolerance=14
        )

    def _grow(self) -> None:
        self._admin.create_partitions([NewPartitions("grew", 4, [[1], [1]])])["grew"].result()
        self._expect("grew", "unread", partitions=["grew-2", "grew-3"])
        self._records.rate |= {("grew", number): _RATE for number in (2, 3)}

    def _heat(self) -> None:
        self._records.rate["hot", 2] = 9 * _RATE
        self._expect("hot", "hot_partition", partitions=["hot-2"], tolerance=13)

    def _open_transaction(self) -> None:
        producer = self._transaction = Producer(
            {
                "bootstrap.servers": self._address,
                "transactional.id": "open",
                "transaction.timeout.ms": 300_000,
                "log_level": 0,
            }
        )
        producer.init_transactions(60)
        producer.begin_transaction()
        producer.produce("txn", b"open", partition=0)
        producer.flush()
        self._blocked = self._expect("txn-rc", "blocked", partitions=["txn-0"])

    def _commit_transaction(self) -> None:
        self._transaction.commit_transaction(60)
        self._blocked.until = self._now()

    def _rewind(self) -> None:
        # Open for ten slots after it.
        self._expect("rewind", "rewound", partitions=["rewind-0"], until=self._now() + 50)
        self._of["rewind"][0].order(goes_back(200))

    def _flap(self, away: int) -> None:
        if away:
            self._of["flap"].append(self._member("flap", 1))
            return
        if not any(each.group == "flap" for each in self.expected):
            # It comes back each 25 s, the last time after 136 s; three times 25 s later it is well.
            self._expect("flap", "unstable", members=["flap-1"], until=self._now() + 136 + 75)
        self._of["flap"].pop().leave()

    def _deploy(self, number: int, away: int) -> None:
        if away:
            self._of["static"].append(self._member("static", number))
        else:
            self._of["static"].pop(0).leave()

    def _stop_leader(self) -> None:
        self._expect("leaderless", "unknown", partitions=["leaderless-1"], tolerance=13)
        self._brokers.stop(signal.SIGKILL, 2)


_GROUPS: dict[str, tuple[int, tuple[str, ...], dict[str, object]]] = {
    **{name: (1, (name,), {}) for name in ("retention", "memory", "slow")},
    "stop": (2, ("stop",), {}),
    "stall": (2, ("stall",), {}),
    "txn-rc": (1, ("txn",), {"isolation_level": "read_committed"}),
    "txn-ru": (1, ("txn",), {"isolation_level": "read_uncommitted"}),
    "left": (2, ("left-a", "left-b"), {}),
    "half": (2, ("half-a", "half-b"), {}),
    "grew": (1, ("grew",), {
        "topic_metadata_refresh_interval_ms": 3_600_000, "metadata_max_age_ms": 3_600_000,
    }),
    "rewind": (1, ("rewind",), {"pace": 20, "behind": 1}),
    "steady": (1, ("steady",), {"behind": 16}),
    "bursts": (1, ("bursts",), {"pace": 25}),
    "hot": (1, ("hot",), {}),
    "idle": (3, ("idle",), {}),
    "flap": (2, ("flap",), {}),
    "static": (3, ("static",), {}),
    "leaderless": (2, ("leaderless",), {}),
}  # fmt: skip
"""Members, topics and settings of each group."""


def main() -> int:
    """Print a row for each finding; 1 if any is missed, false or wrong."""
    with ExitStack() as opened:
        folder = Path(
            opened.enter_context(tempfile.TemporaryDirectory(prefix="evenkeel-incidents-"))
        )
        brokers = opened.enter_context(Brokers((None,) * 3, settings=_SETTINGS))
        script = Script(brokers)
        opened.callback(script.end)
        environment = os.environ | {
            "EVENKEEL_CONFIG": str(_configured(folder, brokers.bootstrap()))
        }
        lake = place_of(folder / "lake")
        collector = subprocess.Popen(
            [
                *_COMMAND,
                *("collect", "--cluster", "incidents", "--every", f"{_EVERY}s"),
                *("--out", lake.folder),
            ],
            env=environment,
            stdout=sys.stderr,
        )
        opened.callback(collector.wait)
        opened.callback(collector.kill)
        first = until(lambda: _first_slot(lake), 180)
        script.run(first)
        collector.send_signal(signal.SIGINT)
        collector.wait(60)
        rows = _findings(environment, lake.folder, first, ("--to", _iso(first + _END)))
        time.sleep(4 * _EVERY)
        silent = _findings(environment, lake.folder, first, None)
    for row in rows:
        if row["code"] == "idle" and len(row["subject"]["members"]) == 1:
            row["subject"]["members"] = ["any"]
    lines, faults = judged(script.expected, rows, script.allowed, 4 * _EVERY)
    is_silent = any(row["code"] == "silent" for row in silent)
    lines.append(f"{'cluster':11} {'silent':13} {'right' if is_silent else 'MISSED'}")
    print("\n".join(lines))
    faults += not is_silent
    healthy = sorted(set(_GROUPS) - {each.group for each in script.expected})
    print(
        f"healthy: {', '.join(healthy)}\n{len(script.expected) + 1} expected, {faults} missed,"
        " false or wrong"
    )
    return int(faults > 0)


_COMMAND = [sys.executable, "-m", "evenkeel"]


def _configured(folder: Path, bootstrap: str) -> Path:
    path = folder / "evenkeel.toml"
    path.write_text(
        f'[clusters.incidents]\n"bootstrap.servers" = "{bootstrap}"\n[findings]\nslo = {{slow ='
        ' "60s"}\n'
    )
    return path


def _first_slot(lake) -> float | None:
    time_axis = instants(lake, "incidents").axis.time
    return float(time_axis[0]) if len(time_axis) else None


def _iso(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _findings(environment: dict, lake: Path, first: float, span: tuple | None) -> list[dict]:
    """Ask the command; times are seconds since the first slot."""
    command = [*_COMMAND, "findings", "--cluster", "incidents", "--lake", lake, "--all", "--json"]
    if span is not None:
        command += ["--from", _iso(first), *span]
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if text.returncode:
        print(text.stderr, file=sys.stderr)
    rows = [json.loads(line) for line in text.stdout.splitlines()]
    rows = [row for row in rows if row["schema"].startswith("evenkeel.finding/")]
    for row in rows:
        for name in ("since", "seen", "until"):
            if row[name] is not None:
                row[name] = datetime.fromisoformat(row[name]).timestamp() - first
    return rows


if __name__ == "__main__":
    sys.exit(main())
