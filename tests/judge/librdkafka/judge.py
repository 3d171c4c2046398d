"""LibrdkafkaJudge: what librdkafka's own code answers as the leader of a group, asked as `evenkeel
assign` is.
"""

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from evenkeel.assignors.clients.librdkafka.known_group import answered_order
from tests.judge.librdkafka.library import leader
from tests.judge.librdkafka.metadata import subscription

_FREED_MEMORY_READ = 77
_CHECKS = (
    f"detect_leaks=0:exitcode={_FREED_MEMORY_READ}"
    ":handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:detect_odr_violation=0"
)
_ALARM = 14
_REMEMBERED = 1000
"""Answers: a link of a chain is asked for once to make the next one, and once more to be compared.
"""


class LibrdkafkaJudge:
    """A process with librdkafka; a context manager. The death of a leader is an answer.

    `is_checked`: reads of freed memory are seen, as the error `Undefined`; without, they mostly
    crash.
    """

    def __init__(self, is_checked: bool = True):
        self._told: dict[bytes, dict] = {}
        environment = os.environ | {"ASAN_OPTIONS": _CHECKS}
        self._process = subprocess.Popen(
            [leader(is_checked)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def answer(self, assignor: str, group: dict, settings: dict | None = None) -> dict:
        """Return the answer for one group document."""
        return self.timed_answer(assignor, group)[0]

    def answers(self, requests: Iterable[dict]) -> Iterator[dict]:
        """Yield one answer for each request, in order."""
        return (self.answer(**request) for request in requests)

    def timed_answer(self, assignor: str, group: dict) -> tuple[dict, float | None]:
        """Return the answer, and the milliseconds that the assignor alone took; None where the
        leader died.
        """
        told = self._asked({"assignor": assignor, **_as_joined(group)})
        return _as_answer(group, told), told.get("milliseconds")

    def _asked(self, request: dict) -> dict:
        line = msgspec.json.encode(request)
        if line not in self._told:
            if len(self._told) >= _REMEMBERED:
                self._told.clear()
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
            self._told[line] = msgspec.json.decode(self._process.stdout.readline())
        return self._told[line]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _as_joined(group: dict) -> dict:
    """Return what the leader is told: the bytes of each member, and the broker's answer about the
    topics that members name.
    """
    partitions = {topic["name"]: topic["partitions"] for topic in group["topics"]}
    asked = answered_order([sorted(member["subscribed"]) for member in group["members"]])
    return {
        "topics": [
            {"name": name, "partitions": _racks(partitions.get(name, []))} for name in asked
        ],
        "members": [
            {
                "member_id": each["member_id"],
                "instance_id": each.get("instance_id"),
                "metadata": subscription(each).hex(),
            }
            for each in group["members"]
        ],
    }


def _racks(partitions: list[dict] | int) -> list[list[str]]:
    if isinstance(partitions, int):
        return [[] for _ in range(partitions)]
    return [
        sorted({rack for rack in each.get("racks") or [] if rack is not None}, key=str.encode)
        for each in partitions
    ]


def _as_answer(group: dict, told: dict) -> dict:
    nothing = {"assignment": {}, "withheld": {}, "assumed": []}
    if "signal" in told or "exit" in told:
        undefined = told.get("exit") == _FREED_MEMORY_READ
        kind = (
            "Undefined"
            if undefined
            else "NeverEnds"
            if told.get("signal") == _ALARM
            else "LeaderCrash"
        )
        return nothing | {"error": {"type": kind, "message": str(told)}}
    if "refused" in told:
        return nothing | {"error": {"type": "Refused", "message": told["refused"]}}
    ids = [member["member_id"] for member in group["members"]]
    sent, given = (
        {member: _by_topic(each.get(member, [])) for member in ids}
        for each in (told["sent"], told["given"])
    )
    withheld = {member: _less(given[member], sent[member]) for member in ids}
    return {
        "assignment": sent,
        "withheld": {member: each for member, each in withheld.items() if each},
        "assumed": [],
        "error": None,
    }


def _by_topic(pairs: list) -> dict[str, list[int]]:
    topics = defaultdict(list)
    for topic, number in pairs:
        topics[topic].append(number)
    return dict(topics)


def _less(given: dict[str, list[int]], sent: dict[str, list[int]]) -> dict[str, list[int]]:
    left = {
        topic: [number for number in numbers if number not in sent.get(topic, [])]
        for topic, numbers in given.items()
    }
    return {topic: numbers for topic, numbers in left.items() if numbers}
