"""Messages of rules: once at the start and once at the end, also across a process that is
killed.
"""

import json
import socket
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from msgspec import structs

from evenkeel.data.alerts.ledger import Ledger
from evenkeel.data.alerts.messages import message
from evenkeel.data.alerts.push import tell, tell_rule
from evenkeel.data.alerts.sending import Delivery, Outcome, post
from evenkeel.data.commands.main import main
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.alert_rules import AlertRule, Webhook
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.generated.incidents import Incident, Partition

RULE = AlertRule(
    "on call",
    findings=("critical",),
    patience=Duration(seconds=0),
    webhook=Webhook({"env": "HOOK"}),
)
SENT, FAILED = Delivery(Outcome.SENT), Delivery(Outcome.FAILED, "the answer is 503")


class _Receiver:
    """Takes messages and answers as it is told; the last answer serves again."""

    def __init__(self, *answers):
        self.answers, self.got = list(answers) or [SENT], []

    def __call__(self, url, body, key, is_local_allowed):
        self.got.append((key, json.loads(body)))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Tell what a group that stops at 100 s and is back at 300 s shows at a slot; the waits."""
    monkeypatch.setenv("HOOK", "https://hooks.example.com/secret")

    def here(time: float) -> bool:
        return not 100 < time <= 300

    partition = Partition(
        lambda time: 10 * time + 100,
        lambda time: 10 * (time if here(time) else 100) + 90,
        lambda time: "m" if here(time) else None,
    )
    incident = Incident({"a-0": partition}, lambda time: ["m"] if here(time) else [])
    evidence = incident.recorded(tmp_path).evidence("g")
    ledger = Ledger(place_of(tmp_path / "lake"), "production", RULE.name)

    def tell(row: int, receiver: _Receiver, rule: AlertRule = RULE) -> list[float]:
        waits: list[float] = []
        findings = findings_of(
            evidence.until(row), "g", rule.settings(FindingSettings()), "production"
        )
        tell_rule(rule, ledger, findings, receiver, waits.append)
        return waits

    return tell


def test_a_finding_is_told_once_at_its_start_and_once_at_its_end(told):
    receiver = _Receiver()

    for row in range(90):
        told(row, receiver)

    (first, begin), (second, end) = receiver.got
    assert first == "on call/production%2Fg%2Fstop@20261118T110845Z-start"
    assert second == first.replace("-start", "-end")
    assert (begin["state"], begin["group"], begin["keys"]) == ("firing", "g", [first])
    assert end["state"] == "resolved"
    assert end["findings"][0]["until"] is not None


def test_a_process_that_is_killed_while_it_sends_leaves_what_the_next_one_sends_with_the_same_key(
    told,
):
    killed, receiver = _Receiver(KeyboardInterrupt()), _Receiver()

    with pytest.raises(KeyboardInterrupt):
        told(40, killed)
    told(41, receiver)
    told(42, receiver)

    assert [key for key, _ in receiver.got] == [key for key, _ in killed.got]


def test_a_receiver_that_fails_is_asked_again_after_5_15_and_45_s_and_at_the_next_slot(told):
    receiver = _Receiver(FAILED, FAILED, FAILED, FAILED, SENT)

    assert told(40, receiver) == [5, 15, 45]
    assert told(41, receiver) == []
    assert told(42, receiver) == []
    assert len(receiver.got) == 5


def test_alertmanager_gets_an_open_finding_again_every_4_minutes_and_not_after_its_end(
    told, monkeypatch
):
    """The finding begins at 0 s and ends at 700 s; a collector looks once a minute."""
    receiver, at = _Receiver(), 0.0
    monkeypatch.setattr("evenkeel.data.alerts.push.clock.seconds", lambda: at)
    rule = structs.replace(RULE, webhook=Webhook({"env": "HOOK"}, form="alertmanager"))
    times = []
    for at in range(0, 1500, 60):
        before = len(receiver.got)
        told(40 if at < 700 else 89, receiver, rule)
        times += [(at, "endsAt" in alerts[0]) for _, alerts in receiver.got[before:]]

    assert times == [(0, False), (240, False), (480, False), (720, True)]


def test_a_rule_that_repeats_sends_an_open_finding_again_under_another_key(told, monkeypatch):
    receiver, at = _Receiver(), 0.0
    monkeypatch.setattr("evenkeel.data.alerts.push.clock.seconds", lambda: at)
    rule = structs.replace(RULE, repeat="10m")
    keys = []
    for at in range(0, 2400, 60):
        told(40 if at < 1500 else 89, receiver, rule)
        keys += [(at, key) for key, _ in receiver.got[len(keys) :]]

    key = "on call/production%2Fg%2Fstop@20261118T110845Z"
    assert keys == [
        (0, f"{key}-start"),
        (600, f"{key}-start-again@600"),
        (1200, f"{key}-start-again@1200"),
        (1500, f"{key}-end"),
    ]


def test_a_message_that_is_refused_is_not_sent_again_and_the_status_says_why(
    told, tmp_path, capsys
):
    receiver = _Receiver(Delivery(Outcome.REFUSED, "the answer is 404"))

    told(40, receiver)
    told(41, receiver)
    assert main(["alerts", "status", "--lake", str(tmp_path / "lake"), "--json"]) == 0

    assert len(receiver.got) == 1
    row = json.loads(capsys.readouterr().out)
    assert (row["rule"], row["sent"], row["open"]) == ("on call", 0, 1)
    assert row["failed"] == [
        {
            "finding": "production/g/stop",
            "step": "start",
            "outcome": "refused",
            "reason": "the answer is 404",
        }
    ]


@pytest.fixture
def receiver():
    """A server on this machine; it answers with its `status` and keeps the headers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.server.got.append((self.path, dict(self.headers)))
            self.send_response(self.server.status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.got, server.status = [], 200
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_what_the_last_slots_of_a_lake_show_is_told_once(receiver, tmp_path, monkeypatch):
    """Three groups: one of them has a stalled member."""
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=4, members=2, days=0.1))
    settings = tmp_path / "evenkeel.toml"
    settings.write_text(
        '[[alerts]]\nname = "all"\nfindings = ["stalled"]\n'
        'webhook = {url = {env = "HOOK"}, local = true}\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))
    monkeypatch.setenv("HOOK", f"http://127.0.0.1:{receiver.server_port}/hook")

    tell(place, CLUSTER)
    tell(place, CLUSTER)

    ((path, headers),) = receiver.got
    assert path == "/hook"
    assert headers["Idempotency-Key"].startswith(f"all/{CLUSTER}%2Fgroup-0000%2Fstall@")


def test_an_address_of_this_machine_is_refused_unless_it_is_allowed(receiver):
    url = f"http://localhost:{receiver.server_port}/hook?a=b"

    refused = post(url, b"{}", "k", False)
    sent = post(url, b"{}", "k", True)

    assert (refused.outcome, sent.outcome) == (Outcome.REFUSED, Outcome.SENT)
    ((path, headers),) = receiver.got
    assert (path, headers["Idempotency-Key"]) == ("/hook?a=b", "k")


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(302, Outcome.REFUSED), (404, Outcome.REFUSED), (429, Outcome.REFUSED), (503, Outcome.FAILED)],
)
def test_a_redirect_is_not_followed_and_only_a_failing_receiver_is_asked_again(
    receiver, status, outcome
):
    receiver.status = status

    answer = post(f"http://127.0.0.1:{receiver.server_port}/hook", b"{}", "k", True)

    assert answer == Delivery(outcome, f"the answer is {status}")
    assert len(receiver.got) == 1


@pytest.mark.parametrize("sign", [b"", b"H"])
def test_a_receiver_that_hangs_or_sends_a_sign_now_and_then_has_failed_after_the_time_limit(
    sign, monkeypatch
):
    monkeypatch.setattr("evenkeel.data.alerts.sending.TIMEOUT_SECONDS", 0.3)
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang():
            connection, _ = server.accept()
            with connection, suppress(OSError):
                while not over.wait(0.05):
                    connection.sendall(sign)

        thread = Thread(target=hang, daemon=True)
        thread.start()
        began = time.monotonic()
        answer = post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", "k", True)
        passed = time.monotonic() - began
        over.set()
        thread.join()

    assert answer.outcome == Outcome.FAILED
    assert 0.3 <= passed < 3


def test_two_collectors_at_once_send_one_key_at_the_start_and_one_at_the_end(told):
    """One of them may have lost its lease while it sends."""
    receivers = [_Receiver(), _Receiver()]

    def collect(receiver: _Receiver) -> None:
        for row in range(90):
            told(row, receiver)

    threads = [Thread(target=collect, args=(each,)) for each in receivers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    got = [message for each in receivers for message in each.got]
    key = "on call/production%2Fg%2Fstop@20261118T110845Z"
    assert {each for each, _ in got} == {f"{key}-start", f"{key}-end"}
    assert {each for _, body in got for each in body["keys"]} == {f"{key}-start", f"{key}-end"}


def test_the_five_lines_of_the_documentation_reach_a_receiver_of_this_machine(
    receiver, tmp_path, monkeypatch
):
    """As they are, but for the leave to send to this machine."""
    text = Path("docs/alerts.md").read_text()
    lines = [line.strip() for line in text.partition("    [[alerts]]\n")[2].splitlines()]
    rule = ["[[alerts]]", *lines[: lines.index("")]]
    settings = tmp_path / "evenkeel.toml"
    settings.write_text("\n".join(rule).replace('form = "slack"', 'form = "slack", local = true'))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(settings))
    monkeypatch.setenv("HOOK", f"http://127.0.0.1:{receiver.server_port}/hook")
    evidence = Incident(
        {"a-0": Partition(lambda time: 10 * time + 100, lambda time: 50)}, lambda time: []
    )
    found = evidence.recorded(tmp_path).evidence("g")
    (mine,) = configuration().alerts
    ledger = Ledger(place_of(tmp_path / "lake"), "production", mine.name)

    tell_rule(mine, ledger, findings_of(found, "g", mine.settings(FindingSettings()), "production"))

    assert len(rule) == 5
    assert mine.takes("production", "g")
    ((path, headers),) = receiver.got
    assert path == "/hook"
    assert headers["Content-Type"] == "application/json"


def finding(group: str) -> dict:
    return {
        "cluster": "production",
        "group": group,
        "code": "down",
        "severity": "critical",
        "text": f"{group} has no member.",
        "advice": "Start its consumers.",
        "since": "2026-11-27T09:12:00Z",
        "until": "2026-11-27T09:42:00Z",
        "link": "timeline?group=x",
    }


def test_a_name_from_kafka_is_no_markup_of_slack():
    body = message("slack", "r", "firing", [finding("<!channel>")], ["k"])

    assert body["text"].splitlines()[0] == "critical: &lt;!channel&gt; has no member."


def test_alertmanager_gets_the_end_of_an_alert_only_when_it_is_over():
    (begin,) = message("alertmanager", "r", "firing", [finding("g")], ["k"])
    (end,) = message("alertmanager", "r", "resolved", [finding("g")], ["k"])

    assert begin["startsAt"] == "2026-11-27T09:12:00Z"
    assert "endsAt" not in begin
    assert end["endsAt"] == "2026-11-27T09:42:00Z"
    assert begin["labels"]["group"] == "g"
