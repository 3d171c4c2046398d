"""Kill the process that pushes alerts, at many moments, and start it again: a receiver that knows
messages by their keys gets each start and each end.

python -m tests.data.alerts.kills
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from evenkeel.data.alerts.ledger import Ledger
from evenkeel.data.alerts.push import tell_rule
from evenkeel.data.configuration.alert_rules import AlertRule, Webhook
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.recordings import recording_in
from evenkeel.data.lake.place import place_of
from tests.generated.incidents import T0, Incident, Partition

GROUPS, SLOTS = 16, 100
RULE = AlertRule(
    "on call",
    findings=("critical",),
    patience=Duration(seconds=0),
    webhook=Webhook({"env": "HOOK"}, local=True),
)


@dataclass
class Moment:
    """When to kill: before or after the answer to the nth message of a process, or some seconds
    after it has finished its nth slot.
    """

    kind: str
    number: int
    seconds: float = 0.0


def expected() -> set[str]:
    """Return the keys: group k stops at 100 + 10 k s, which is seen 25 s later, and is back 200 s
    later.
    """
    moments = [datetime.fromtimestamp(T0 + 125 + 10 * each, UTC) for each in range(GROUPS)]
    return {
        f"on call/production%2Fg{number}%2Fstop@{moment:%Y%m%dT%H%M%SZ}-{step}"
        for number, moment in enumerate(moments)
        for step in ("start", "end")
    }


def write(folder: Path) -> None:
    """Record the groups."""
    for number in range(GROUPS):
        (folder / str(number)).mkdir()
        _incident(100 + 10 * number).recorded(folder / str(number), SLOTS)


def _incident(stop: int) -> Incident:
    def is_here(time: float) -> bool:
        return not stop < time <= stop + 200

    partition = Partition(
        lambda time: 10 * time + 100,
        lambda time: 10 * (time if is_here(time) else stop) + 90,
        lambda time: "m" if is_here(time) else None,
    )
    return Incident({"a-0": partition}, lambda time: ["m"] if is_here(time) else [])


def push(folder: Path, first: int) -> None:
    """Tell what each slot shows, from one on; write the number of each slot that is done."""
    ledger = Ledger(place_of(folder / "lake"), "production", RULE.name)
    settings = RULE.settings(FindingSettings())
    groups = [
        recording_in(next((folder / str(number)).iterdir())).evidence("g")
        for number in range(GROUPS)
    ]
    for row in range(first, SLOTS):
        findings = [
            each
            for number, evidence in enumerate(groups)
            for each in findings_of(evidence.until(row), f"g{number}", settings, "production")
        ]
        tell_rule(RULE, ledger, findings)
        print(row, flush=True)


@dataclass
class Killer:
    """A receiver that kills the process that sends, at moments, one a process."""

    moments: list[Moment]
    keys: list[str] = field(default_factory=list)
    kills: int = 0
    _process: subprocess.Popen | None = None
    _messages: int = 0

    def run(self, folder: Path) -> None:
        """Push every slot, with a new process after each kill."""
        server = HTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=server.serve_forever, daemon=True).start()
        environment = os.environ | {"HOOK": f"http://127.0.0.1:{server.server_port}/"}
        command = [sys.executable, "-m", "tests.data.alerts.kills", str(folder)]
        row = -1
        try:
            while True:
                self._messages = 0
                self._process = subprocess.Popen(
                    [*command, str(row + 1)], env=environment, stdout=subprocess.PIPE, text=True
                )
                row = self._followed(row)
                if self._process.wait(30) == 0:
                    return
                assert self._process.returncode == -signal.SIGKILL
                self.kills += 1
                self.moments.pop(0)
        finally:
            server.shutdown()
            server.server_close()

    def _followed(self, row: int) -> int:
        for number, line in enumerate(self._process.stdout, start=1):
            row = int(line)
            if self._is_at("slot", number):
                time.sleep(self.moments[0].seconds)
                self._process.kill()
        return row

    def _is_at(self, kind: str, number: int) -> bool:
        moment = self.moments[0] if self.moments else None
        return moment is not None and (moment.kind, moment.number) == (kind, number)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        killer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                killer.keys += body["keys"]
                killer._messages += 1
                if killer._is_at("before", killer._messages):
                    killer._process.kill()
                    return
                self.send_response(200)
                self.end_headers()
                self.wfile.flush()
                if killer._is_at("after", killer._messages):
                    killer._process.kill()

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def killed_at(moments: Sequence[Moment]) -> Killer:
    """Push all slots, killed at these moments."""
    with tempfile.TemporaryDirectory(prefix="evenkeel-kills-") as name:
        write(Path(name))
        killer = Killer(list(moments))
        killer.run(Path(name))
    return killer


def main() -> None:
    """Kill at thirty moments."""
    chance = random.Random(1)
    moments = [
        moment
        for _ in range(10)
        for moment in (
            Moment("before", chance.randint(1, 2)),
            Moment("after", chance.randint(1, 2)),
            Moment("slot", chance.randint(1, 4), chance.uniform(0, 0.03)),
        )
    ]
    killer = killed_at(moments)
    print(f"killed {killer.kills} times, {len(killer.keys)} messages, {len(set(killer.keys))} keys")
    assert killer.kills == len(moments)
    assert set(killer.keys) == expected()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        push(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        main()
