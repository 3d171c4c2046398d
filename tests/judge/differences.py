"""Where two sources of answers differ on random groups and on chains of rebalances."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from tests.generated.documents import group_document
from tests.generated.large_documents import large_document
from tests.generated.rebalances import next_group
from tests.generated.skewed_documents import skewed_document
from tests.judge.judge import Judge
from tests.recorded.scenarios import as_sets

BROKER_ASSIGNORS = ("uniform", "broker-range", "simple")
EXCUSES = ("hash collisions", "never ends", "unknown for Kafka")
_CHAINS_AT_ONCE = 250

Ours = Callable[[dict], dict]
"""A request to an answer, both as `evenkeel assign --jsonl` has them."""


@dataclass(frozen=True)
class Difference:
    """A request on which the two answers differ."""

    request: dict
    kafka: dict
    ours: dict


def meaning(answer: dict) -> object:
    """Return what two answers must have in common: the exception's type, or who gets what now and
    what later, as sets.
    """
    if answer["error"]:
        return answer["error"]["type"]
    return as_sets(answer["assignment"]), as_sets(answer["withheld"])


def differences(requests: Sequence[dict], judge: Judge, ours: Ours) -> Iterator[Difference]:
    """Yield the requests that Kafka answers otherwise; those that ours is excused from are not
    asked.
    """
    asked = [(request, answer) for request in requests if not excuse(answer := ours(request))]
    for (request, answer), kafka in zip(
        asked, judge.answers([request for request, _ in asked]), strict=True
    ):
        if meaning(answer) != meaning(kafka):
            yield Difference(request, kafka, answer)


def excuse(answer: dict) -> str | None:
    """Return why an answer is not held to Kafka's: it says itself that it may differ (a tree bin),
    that Kafka's class would never give one, or that it is not known for the release.
    """
    said = [*answer["assumed"], (answer["error"] or {}).get("message", "")]
    return next((each for each in EXCUSES if any(each in one for one in said)), None)


def of_release(requests: Iterator[dict], version: str) -> Iterator[dict]:
    """Yield the requests, put to this release of Kafka."""
    return (
        request | {"settings": request["settings"] | {"kafka_version": version}}
        for request in requests
    )


def random_requests(random: Random, assignor: str, expressions: bool = False) -> Iterator[dict]:
    """Yield requests about unrelated groups, without end."""
    while True:
        settings = (
            {"max_generation": random.choice([0, 3, 5])}
            if "sticky" in assignor and random.random() < 0.1
            else {}
        )
        yield {
            "assignor": assignor,
            "group": _group(random, assignor, expressions),
            "settings": settings,
        }


def _group(random: Random, assignor: str, expressions: bool = False) -> dict:
    if random.random() < 0.1:
        return large_document(random, assignor in BROKER_ASSIGNORS)
    if "sticky" in assignor and random.random() < 0.5:
        return skewed_document(random)
    return group_document(random, assignor in BROKER_ASSIGNORS, expressions)


def chained_requests(random: Random, assignor: str, judge: Judge, length: int) -> Iterator[dict]:
    """Yield requests about groups that Kafka's answers make out of each other, without end; an
    exception ends a chain.
    """
    while True:
        chains = [
            {"assignor": assignor, "group": _group(random, assignor), "settings": {}}
            for _ in range(_CHAINS_AT_ONCE)
        ]
        for _ in range(length):
            yield from chains
            answered = [
                (request, answer)
                for request, answer in zip(chains, judge.answers(chains), strict=True)
                if not answer["error"]
            ]
            chains = [
                request
                | {
                    "group": next_group(
                        random, request["group"], answer, assignor in BROKER_ASSIGNORS
                    )
                }
                for request, answer in answered
            ]


def smallest(difference: Difference, judge: Judge, ours: Ours) -> Difference:
    """Take parts out of the group for as long as the answers still differ."""
    for _ in count():
        smaller = next(differences(list(_smaller(difference.request)), judge, ours), None)
        if smaller is None:
            return difference
        difference = smaller


def _smaller(request: dict) -> Iterator[dict]:
    """Yield the request with one part less, bigger parts first."""
    for group in _without_one(request["group"], depth=5):
        if (
            {"format", "topics", "members"} <= group.keys()
            and all({"name", "partitions"} <= topic.keys() for topic in group["topics"])
            and all({"member_id", "subscribed"} <= member.keys() for member in group["members"])
        ):
            yield request | {"group": group}


def _without_one(value: object, depth: int) -> Iterator:
    """Yield copies of a tree of dicts and lists in which one key or element is missing."""
    if not depth or not isinstance(value, dict | list):
        return
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield (
            {each: value[each] for each in keys if each != key}
            if isinstance(value, dict)
            else [value[each] for each in keys if each != key]
        )
    for key in keys:
        for smaller in _without_one(value[key], depth - 1):
            yield (
                {**value, key: smaller}
                if isinstance(value, dict)
                else [*value[:key], smaller, *value[key + 1 :]]
            )


def first(requests: Iterator[dict], number: int) -> list[dict]:
    """Return so many requests."""
    return list(islice(requests, number))
