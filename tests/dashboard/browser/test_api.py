"""What other programs ask the running server: shares, scenarios, its health and its figures."""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import expect

from evenkeel.data.commands.main import main
from evenkeel.data.configuration import Configuration
from evenkeel.data.lake.place import place_of
from evenkeel.data.scenarios.edits.set_partition_count import SetPartitionCount
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.shares.database import database_url, engine_of, upgrade
from evenkeel.data.shares.shares import Shares
from tests.dashboard.browser import server as running
from tests.dashboard.browser.session import Session
from tests.dashboard.stepped import JOINS, STOPS, stepped
from tests.data.shares.frozen import SCENARIO, frozen
from tests.data.test_own_process import is_running
from tests.generated.small_applications import EXAMPLE_APPLICATION
from tests.waiting import until


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


@pytest.fixture
def ask(server):
    """Return a function that sends one request."""
    address = urlsplit(server)

    def asked(path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        connection = HTTPConnection(address.hostname, address.port, timeout=180)
        try:
            connection.request(
                method,
                path,
                body,
                {name.replace("_", "-"): value for name, value in headers.items()},
            )
            answer = connection.getresponse()
            return Answer(
                answer.status,
                {name.lower(): value for name, value in answer.getheaders()},
                answer.read().decode(),
            )
        finally:
            connection.close()

    return asked


@pytest.fixture
def posted(ask):
    """Return a function that posts a scenario."""
    return lambda scenario: ask(
        "/api/scenarios", "POST", json.dumps(scenario).encode(), Content_Type="application/json"
    )


@pytest.fixture
def shares(folder, server):
    """Return the store that the server uses, from another process."""
    engine = engine_of(database_url(Configuration(lake=place_of(folder / "lake"))))
    upgrade(engine)
    yield Shares(engine)
    engine.dispose()


def test_a_share_that_another_process_made_is_answered_as_json_that_nobody_keeps(ask, shares):
    result = stepped()
    scenario = msgspec.to_builtins(result.scenario)
    made = shares.make(
        frozen(title="<script>alert(1)</script>", scenario=scenario, result=lines_of(result)), None
    )

    answer = ask(f"/api/shares/{made.share_id}")

    assert answer.status == 200
    assert (answer.headers["content-type"], answer.headers["x-content-type-options"]) == (
        "application/json",
        "nosniff",
    )
    assert answer.headers["cache-control"] == "no-store"
    found = json.loads(answer.text)
    assert (found["title"], found["scenario"]) == ("<script>alert(1)</script>", scenario)
    assert [(one["assignor"], one["reason"]) for one in found["result"][0]["advice"]] == [
        (None, "behind")
    ]


def test_every_id_that_opens_nothing_gets_the_same_answer(ask, shares):
    made = shares.make(frozen(), None)
    shares.delete(made.share_id, made.delete_secret)

    answers = {
        ask(f"/api/shares/{each}")[::2]
        for each in (made.share_id, "A" * 22, "x", "a/b", "", "%20", "%27%20OR%201=1")
    }

    assert answers == {(404, '{"error":{"path":null,"message":"No share has this address."}}')}


@pytest.mark.parametrize(
    ("limits", "status", "said"),
    [
        ({"moves": 1}, 200, (9, True, None)),
        (
            {"partitions_per_member": 1},
            200,
            (None, None, "partitions_per_member: 2 is needed, at most 1 is allowed"),
        ),
        ({"moves": -1}, 422, "moves: found -1, expected 0 or more"),
        ({"move": 1}, 422, "request: Object contains unknown field `move`"),
    ],
)
def test_a_request_for_the_best_assignment_gets_the_line_of_best(ask, limits, status, said):
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": "t", "partitions": [{"lag": 9}, {"lag": 9}, {"lag": 0}]}],
        "members": [
            {"member_id": "a", "subscribed": ["t"], "owned": {"t": [0, 1, 2]}},
            {"member_id": "b", "subscribed": ["t"]},
        ],
    }

    answer = ask(
        "/api/best",
        "POST",
        json.dumps({"group": group, **limits}).encode(),
        Content_Type="application/json",
    )

    found = json.loads(answer.text)
    assert answer.status == status
    if status == 200:
        assert (
            found["value"],
            found["proved"],
            found["error"] and found["error"]["message"],
        ) == said
    else:
        assert found["error"]["message"].startswith(said)


def test_a_scenario_gets_the_lines_of_replay(posted):
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": "t0", "partitions": 3}],
        "members": [{"member_id": "A", "subscribed": ["t0"]}],
    }
    step = {"name": "B comes", "edits": [{"op": "add_members", "like": "A", "count": 1, "seed": 7}]}

    answer = posted(
        {
            "format": "evenkeel.scenario/1",
            "group": group,
            "settings": {"assignors": ["range"]},
            "steps": [step],
        }
    )

    head, *lines = json.loads(answer.text)
    assert (answer.status, head["format"]) == (200, "evenkeel.replay/1")
    assert [(line["step"], line["name"], line["assignor"]) for line in lines] == [
        (0, "as listed", "range"),
        (1, "B comes", "range"),
    ]
    assert lines[0]["assignment"] == {"A": {"t0": [0, 1, 2]}}
    # A sorts before every id that begins with A-; Kafka's range gives the first member the
    # remainder.
    assert lines[1]["assignment"]["A"] == {"t0": [0, 1]}


def test_a_scenario_of_a_streams_document_gets_the_lines_of_replay(posted, tmp_path, capsys):
    dies = {
        "edits": [
            {
                "op": "remove_processes",
                "process_ids": [EXAMPLE_APPLICATION["processes"][0]["process_id"]],
            }
        ]
    }
    scenario = {"format": "evenkeel.scenario/1", "group": EXAMPLE_APPLICATION, "steps": [dies]}
    (tmp_path / "scenario.json").write_text(json.dumps(scenario))

    answered = json.loads(posted(scenario).text)

    assert main(["replay", str(tmp_path / "scenario.json")]) == 0
    assert answered == [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["assignor"] for line in answered[1:]} >= {"high-availability", "legacy-sticky"}


def test_a_request_the_command_line_and_a_share_give_a_scenario_the_same_lines(
    ask, posted, shares, tmp_path, capsys
):
    result = stepped(JOINS, STOPS)
    scenario = msgspec.to_builtins(result.scenario)
    (tmp_path / "scenario.json").write_bytes(msgspec.json.encode(scenario))
    made = shares.make(frozen(scenario=scenario, result=lines_of(result)), None)

    answered = json.loads(posted(scenario).text)
    assert main(["replay", str(tmp_path / "scenario.json")]) == 0
    replayed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shared = json.loads(ask(f"/api/shares/{made.share_id}").text)["result"]

    assert len(replayed) == 1 + 3 * 2
    assert answered == replayed
    # What a share leaves out is the assignment of the line before.
    assert shared == [
        {key: value for key, value in line.items() if key != "owned_before"} for line in replayed
    ]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (
            {"steps": [{"edits": [{"op": "remove_members", "member_ids": ["pay-z"]}]}]},
            "steps[0].edits[0].member_ids[0]",
        ),
        ({"steps": [{"edits": [{"op": "destroy"}]}]}, "$.steps[0].edits[0].op"),
        (
            {"group": {"format": "evenkeel.group/1", "members": [{"subscribed": []}]}},
            "$.group.members[0].member_id",
        ),
        ({"format": "evenkeel.scenario/2"}, "$.format"),
    ],
)
def test_a_scenario_that_is_refused_names_the_path(posted, change, path):
    answer = posted(SCENARIO | change)

    assert (answer.status, json.loads(answer.text)["error"]["path"]) == (422, path)


def test_what_is_no_json_is_refused(ask):
    answer = ask("/api/scenarios", "POST", b"{", **{"Content-Type": "application/json"})

    assert (answer.status, json.loads(answer.text)["error"]["path"]) == (422, None)


def test_a_body_of_another_type_is_refused_so_that_no_page_of_another_site_can_send_one(ask):
    assert ask("/api/scenarios", "POST", b"{}", Content_Type="text/plain").status == 415


def test_a_body_over_the_limit_is_refused(ask):
    answer = ask("/api/scenarios", "POST", b" " * 33_000_000, Content_Type="application/json")

    assert (answer.status, json.loads(answer.text)["error"]["message"][:32]) == (
        413,
        "the body has more than 32 MB; if",
    )


def test_health_says_what_works_of_process_lake_store_and_spark(ask):
    answer = ask("/healthz")

    parts = json.loads(answer.text)
    assert (answer.status, set(parts)) == (200, {"ok", "process", "lake", "store", "spark"})
    assert {name: part["ok"] for name, part in parts.items() if name != "ok"} == dict.fromkeys(
        ("process", "lake", "store", "spark"), True
    )


def test_figures_count_sessions_reruns_and_opened_shares(ask, shares, tab):
    share_id = shares.make(frozen(), None).share_id

    def figures() -> dict[str, float]:
        return {
            name: float(value)
            for name, value in re.findall(
                r"^(evenkeel_\w+) (\S+)$", ask("/metrics").text, re.MULTILINE
            )
        }

    before = figures()
    assert {
        "evenkeel_imports_total",
        "evenkeel_lines_total",
        "evenkeel_live_requests_total",
        "evenkeel_live_errors_total",
    } < set(before)
    assert {"evenkeel_shares_made_total", "evenkeel_rerun_seconds_sum"} < set(before)

    ask(f"/api/shares/{share_id}")
    ask("/api/shares/unknown")
    page = tab("/")
    after = figures()

    assert after["evenkeel_shares_opened_total"] - before["evenkeel_shares_opened_total"] == 1
    assert after["evenkeel_rerun_seconds_count"] > before["evenkeel_rerun_seconds_count"]
    assert after["evenkeel_sessions"] >= 1
    assert page.url


def test_a_browser_gets_a_secret_cookie_with_its_first_page_and_keeps_it(chromium, server):
    window = chromium.new_context(base_url=server)
    try:
        page = window.new_page()
        page.goto("/")
        (first,) = [each for each in window.cookies() if each["name"] == "evenkeel_owner"]
        page.reload()
        (second,) = [each for each in window.cookies() if each["name"] == "evenkeel_owner"]
        seen = page.evaluate("document.cookie")
    finally:
        window.close()

    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", first["value"])
    assert (first["httpOnly"], first["sameSite"]) == (True, "Lax")
    assert second["value"] == first["value"]
    assert "evenkeel_owner" not in seen


def large(partitions: int, step_count: int) -> dict:
    members = [{"member_id": f"m-{number}", "subscribed": ["t"]} for number in range(100)]
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": "t", "partitions": partitions}],
        "members": members,
    }
    return {"format": "evenkeel.scenario/1", "group": group, "steps": [{"edits": []}] * step_count}


@pytest.mark.parametrize(
    ("asked", "path", "said"),
    [
        (
            large(10_000_000, 0),
            "$.group.topics[0].partitions",
            (
                "the group has 10,000,000 partitions and 100 members and takes 2.5 GB, expected at"
                " most 512 MB ([limits] group)"
            ),
        ),
        (
            large(1_000_000, 20),
            "steps[1]",
            (
                "7 assignors would answer about 21,016,800 partitions in all steps up to this one,"
                " expected at most 20,000,000 ([limits] work)"
            ),
        ),
    ],
)
def test_a_scenario_beyond_the_budget_is_refused_with_path_size_limit_and_setting(
    posted, asked, path, said
):
    answer = posted(asked)

    assert (answer.status, json.loads(answer.text)) == (
        422,
        {"error": {"path": path, "message": said}},
    )


def own_processes(server_pid: int) -> set[int]:
    """Return the processes of the server that compute an answer."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_child = (
                int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == server_pid
            )
            if is_child and b"evenkeel.data.own_process" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def begun(server: str) -> HTTPConnection:
    """Ask for the largest scenario that is allowed, and do not wait for the answer."""
    address = urlsplit(server)
    connection = HTTPConnection(address.hostname, address.port)
    connection.request(
        "POST",
        "/api/scenarios",
        json.dumps(large(1_000_000, 1)).encode(),
        {"Content-Type": "application/json"},
    )
    return connection


def test_a_scenario_whose_client_goes_is_no_longer_computed(served):
    address, process = served
    connection = begun(address)
    until(lambda: own_processes(process.pid))

    connection.close()

    until(lambda: not own_processes(process.pid))


def query() -> str:
    """Return the address of a What-if that takes long."""
    return (
        "sample=one-hot-partition&candidate=sticky&steps="
        f"{text_of(Draft([NamedSteps(None, LARGE_STEPS)]))}"
    )


LARGE_STEPS = [Step(edits=[SetPartitionCount(topic="orders", count=1_000_000)]), Step()]


@contextmanager
def looked_at(server: str) -> Iterator[None]:
    """Open a link to What-if that takes long, in a tab that is closed at the end."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()

    async def look() -> None:
        async with Session(server, "whatif", query()) as session:
            await session.run()

    looking = asyncio.run_coroutine_threadsafe(look(), loop)
    try:
        yield
    finally:
        looking.cancel()
        wait([looking])
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def test_what_if_is_no_longer_computed_when_its_tab_is_closed(served):
    address, process = served
    with looked_at(address):
        until(lambda: own_processes(process.pid))

    until(lambda: not own_processes(process.pid))


def test_a_page_that_waits_for_its_turn_says_its_place_in_the_queue(blank, served):
    address, process = served
    connections = [begun(address) for _ in range(4)]
    page = blank()
    try:
        page.goto(f"/whatif?{query().replace('sticky', 'uniform')}")
        expect(
            page.get_by_text(re.compile(r"^waiting: (1st|2nd|3rd) in the queue$"))
        ).to_be_visible()
    finally:
        page.close()
        for connection in connections:
            connection.close()
    until(lambda: not own_processes(process.pid))


def test_the_server_ends_on_sigterm_whatever_it_computes_and_so_does_what_it_has_begun(tmp_path):
    with running.served(tmp_path) as (address, process), looked_at(address):
        until(lambda: own_processes(process.pid))
        connections = [begun(address) for _ in range(3)]
        # One of them or two: on a busy machine the first may have ended.
        children = until(lambda: own_processes(process.pid))

        process.terminate()
        # It has 5 seconds; on a busy machine its timer may fire late.
        process.wait(500)

    for connection in connections:
        connection.close()
    until(lambda: not any(is_running(child) for child in children))
