"""The worst input of each bound takes little memory and time of the server's own process: measured
in a process for each, forked from one that has loaded the modules.
"""

import json
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.dashboard.shell.bounds import BOUNDS
from tests.waiting import lines_until

MOST_MEGABYTES, MOST_SECONDS = 300, 120
"""Far above what is needed: the inputs took gigabytes, or hours."""

ASKS = """
import os, re, resource, sys, time
import re2
from evenkeel.dashboard.shell import apart
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.group.budget import Budget
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, is_of_application
from evenkeel.data.scenarios.scenario.draft import draft_of

def elsewhere(*_, **__):
    raise SnapshotError("in a process of its own")

def peak(key):
    return int(re.search(rf"{key}:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024

def ask(kind, text):
    if kind == "draft":
        return draft_of(text.decode())
    scenario = decode_any_scenario(text)
    if is_of_application(text):
        return application_result(scenario, budget=Budget())
    return apart.result(scenario)

def measure(kind, text):
    resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))
    before, begin = peak("VmRSS"), time.monotonic()
    try:
        ask(kind, text)
        said = "answered"
    except SnapshotError as error:
        said = str(error)
    print(peak("VmHWM") - before, round(time.monotonic() - begin, 2), said[:400], flush=True)

apart.run = elsewhere
while head := sys.stdin.buffer.readline().split():
    text = sys.stdin.buffer.read(int(head[1]))
    child = os.fork()
    if not child:
        measure(head[0].decode(), text)
        os._exit(0)
    if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        print("the process ended with", code, flush=True)
"""

LETTERS = r"\pL" * 1_365
"""4,095 characters. Three of them stand for 680 ranges of letters: nothing takes more of RE2's
memory.
"""

DOCUMENT = {
    "format": "evenkeel.group/1",
    "topics": [{"name": "t", "partitions": 3}],
    "members": [{"member_id": "m", "subscribed": ["t"], "client_id": "m", "owned": {"t": [0]}}],
}
PROCESS = "00000000-0000-0000-0000-000000000001"
APPLICATION = {
    "format": "evenkeel.streams/1",
    "tasks": [{"task_id": f"0_{number}", "stateful": True} for number in range(1_000)],
    "processes": [{"process_id": PROCESS, "consumers": [{"member_id": "c"}]}],
}


class Worst(NamedTuple):
    """The worst input of a bound, and what it is answered."""

    bound: str
    text: bytes
    said: str
    kind: str = "scenario"


def scenario(*steps: list[dict], group: dict = DOCUMENT, **changed) -> bytes:
    settings = {"settings": {"assignors": ["range"]}} if group is DOCUMENT else {}
    asked = {
        "format": "evenkeel.scenario/1",
        "group": group | changed,
        "steps": [{"edits": edits} for edits in steps],
    }
    return json.dumps(asked | settings).encode()


def draft(json_text: bytes, times: int = 1) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    # After a full flush nothing refers to what stands before: a block can be repeated.
    block = packer.compress(json_text) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = block * times + packer.flush()
    return urlsafe_b64encode(packed).rstrip(b"=")


def subscribes(expression: str) -> dict:
    return {"op": "set_subscription", "member_ids": ["m"], "regex": expression}


def nested(depth: int) -> str:
    return "(" * depth + "a" + ")" * depth


def members(count: int, expression: Callable[[int], str]) -> list[dict]:
    return [
        {"member_id": f"m{number}", "subscribed": [], "subscribed_regex": expression(number)}
        for number in range(count)
    ]


def drafted(edit: dict) -> bytes:
    return draft(json.dumps({"scenarios": [{"steps": [{"edits": [edit]}]}]}).encode())


JOIN = {"op": "add_members", "like": "m", "count": 10_000}
LONG_CLIENT = DOCUMENT["members"][0] | {"client_id": "c" * 4_000_000}
GROWS = {"op": "set_partition_count", "topic": "t", "count": 200_000}
WIDE = {"name": "t", "partitions": [{"racks": ["r"] * 10_000}]}
SETS_LAG = {"op": "set_lag", "topic": "t", "partition": 0, "lag": 5}
ADDS_PROCESSES = {"op": "add_processes", "like": PROCESS, "count": 1_000}
LONG_NAMES = [{"name": f"{'ab' * 120}{number}", "partitions": 1} for number in range(2_000)]
APPEAR = [{"op": "add_topic", "name": f"n{number}", "partitions": 1} for number in range(300)]
DIGITS = b"1" * 1_000_000
AMBIGUOUS = "(?:a|b)*a" + "(?:a|b)" * 500

EXPRESSION, EXPRESSIONS, MATCHED = (
    "an expression",
    "expressions of one group",
    "expressions matched by edits",
)
NAME, REPLICAS, STEPS = (
    "a name in members that join",
    "replicas of partitions that are added",
    "steps",
)

WORST = [
    Worst(
        EXPRESSION,
        drafted(subscribes(nested(8_000))),
        "regex: found 16,001 characters, expected at most 4,096",
        "draft",
    ),
    Worst(
        EXPRESSION,
        scenario([subscribes(nested(50_000))]),
        "regex: found 100,001 characters, expected at most 4,096",
    ),
    Worst(
        EXPRESSION,
        scenario(members=members(1, lambda number: nested(2_500))),
        "members[0].subscribed_regex: found an RE2 expression of 5,001 characters, expected at most"
        " 4,096",
    ),
    Worst(EXPRESSION, scenario([subscribes(nested(2_000))]), "answered"),
    Worst(EXPRESSION, scenario([subscribes(LETTERS)]), "pattern too large"),
    Worst(
        EXPRESSIONS,
        scenario(members=members(5_000, lambda number: f"{LETTERS[:3_999]}{number}")),
        "$.group: 1 assignor would answer",
    ),
    Worst(
        MATCHED,
        scenario([subscribes(AMBIGUOUS), *APPEAR], topics=LONG_NAMES),
        "steps[0]: 1 assignor would answer about",
    ),
    Worst(NAME, scenario([JOIN | {"client_id": "c" * 1_000}]), "answered"),
    Worst(
        NAME,
        drafted(JOIN | {"client_id": "c" * 4_000_000}),
        "client_id: found 4,000,000 characters, expected at most",
        "draft",
    ),
    Worst(
        NAME,
        scenario([JOIN], members=[LONG_CLIENT]),
        "members[0].client_id: found 4,000,000 characters, expected at most 1,000",
    ),
    Worst(
        REPLICAS,
        scenario([GROWS], topics=[WIDE]),
        "steps[0].edits[0].count: the group would have 200,000 partitions",
    ),
    Worst(
        "partitions by a number",
        scenario([GROWS | {"count": 10_000_000}]),
        "steps[0].edits[0].count: the group would have 10,000,000",
    ),
    Worst(
        "members by a number",
        scenario([JOIN] * 300),
        "steps[0].edits[25].count: the group would have 3 partitions and 260,001",
    ),
    Worst(
        "instances by a number",
        scenario([ADDS_PROCESSES], group=APPLICATION),
        "steps[0].edits[0].count: the application would have",
    ),
    Worst("edits", scenario([SETS_LAG] * 10_000), "in a process of its own"),
    Worst(STEPS, scenario(*[[]] * 200), "answered"),
    Worst(
        STEPS,
        scenario(*[[]] * 200, topics=[{"name": "t", "partitions": 1_000_000}]),
        "expected at most 20,000,000",
    ),
    Worst(
        "deflated steps of an address",
        draft(b" " * 2**20, 1_000),
        "found more than 4,194,304 bytes",
        "draft",
    ),
    Worst(
        "values within values",
        b'{"format":"evenkeel.scenario/1","group":' + b"[" * 1_000_000,
        "not JSON",
    ),
    Worst(
        "digits of a number",
        scenario([JOIN]).replace(b"10000", DIGITS),
        "$.steps[0].edits[0].count: integer value out of range",
    ),
]


@pytest.fixture(scope="module")
def asker():
    """The process that forks one for each question."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", ASKS], **pipes) as process:
        yield process
        process.stdin.close()


def measured(asker: subprocess.Popen, worst: Worst) -> tuple[int, float, str]:
    """Return megabytes, seconds and the answer of a new process."""
    asker.stdin.write(f"{worst.kind} {len(worst.text)}\n".encode() + worst.text)
    asker.stdin.flush()
    (line,) = lines_until(asker, b"\n", seconds=MOST_SECONDS)
    megabytes, seconds, said = line.decode().strip().split(" ", 2)
    return int(megabytes), float(seconds), said


def test_every_bound_has_a_worst_input():
    assert {worst.bound for worst in WORST} == set(BOUNDS)


@pytest.mark.parametrize("worst", WORST, ids=lambda worst: worst.bound.replace(" ", "-"))
def test_the_worst_input_of_a_bound_takes_little_memory(asker, worst):
    megabytes, seconds, said = measured(asker, worst)
    print(f"{worst.bound}: {megabytes} MB, {seconds} s: {said[:120]}")

    assert worst.said in said
    assert megabytes < MOST_MEGABYTES
