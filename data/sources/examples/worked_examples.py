"""Worked examples: small groups that load immediately, without Spark."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.group.columns import group_keys, observed_from_document, observed_from_tables
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import FORMAT, Document, Member, Topic, decode, decode_application
from evenkeel.data.group.document.application import Application
from evenkeel.data.sources.inputs import read

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class WorkedExample:
    """An example group. `slug`: its name in links. `assignor`: the assignor that is selected when
    the example opens. `load`: returns the group, read only once.

    `variant`: name that distinguishes examples with the same title.
    """

    slug: str
    title: str
    sentence: str
    load: Callable[[], ObservedGroup]
    assignor: str
    variant: str = ""


@cache
def _document(name: str) -> ObservedGroup:
    return observed_from_document(decode((SAMPLES / f"{name}.json").read_bytes()))


@cache
def _listing(name: str) -> ObservedGroup:
    parsed = read([(f"{name}.txt", (SAMPLES / f"{name}.txt").read_bytes())])
    tables = (parsed.offsets, parsed.members, parsed.topics)
    return observed_from_tables(*tables, *group_keys(*tables)[0])


@cache
def _one_partition_each(
    count: int, is_fresh: bool = False, left: int = 0, joined: int = 0
) -> ObservedGroup:
    """Return a group with `count` partitions and `count` members. Each member owns one partition,
    or none if `is_fresh`. Then `left` members leave and `joined` members join.
    """
    owned = [
        {} if is_fresh or number >= count else {"events": [number]}
        for number in range(left, count + joined)
    ]
    members = [
        Member(
            member_id=f"consumer-{number:04}",
            subscribed=["events"],
            owned=has,
            generation=1 if has else None,
        )
        for number, has in enumerate(owned, left)
    ]
    topic = Topic(name="events", partitions=count)
    return observed_from_document(
        Document(
            format=FORMAT,
            group_id="kafka-9987",
            type=CLASSIC,
            state="Stable",
            assignor="sticky",
            topics=[topic],
            members=members,
        )
    )


def _stored(
    slug: str,
    title: str,
    sentence: str,
    assignor: str,
    load: Callable[[str], ObservedGroup] = _document,
) -> WorkedExample:
    return WorkedExample(slug, title, sentence, partial(load, slug), assignor)


def _many(slug: str, variant: str, sentence: str, **how: int) -> WorkedExample:
    return WorkedExample(
        slug,
        "2,100 on 2,100",
        sentence,
        partial(_one_partition_each, 2_100, **how),
        "sticky",
        variant=variant,
    )


_STORED = (
    _stored(
        "one-hot-partition",
        "One hot partition",
        "12 members, 100 partitions. One member holds 52 % of the lag; assignors that count"
        " partitions do not see it.",
        assignor="roundrobin",
    ),
    _stored(
        "idle-under-range",
        "Idle under range",
        "5 topics of 6 partitions, 10 members: range assigns everything to the first six members.",
        assignor="roundrobin",
    ),
    _stored(
        "lag-aware",
        "Lag-aware",
        "Lags of 100,000, 60,000 and 50,000 on two members: only the lag assignor gives the"
        " largest lag its own member.",
        assignor="lag",
    ),
    _stored(
        "third-consumer-joins",
        "A third consumer joins",
        "Two topics of three partitions: range then gives each member one partition of each topic.",
        assignor="range",
    ),
    _stored(
        "two-consumers",
        "Two consumers",
        "Two topics of three partitions: range splits 4 to 2, roundrobin 3 to 3.",
        assignor="roundrobin",
    ),
    _stored(
        "differing-subscriptions",
        "Differing subscriptions",
        "Two topics; not all four members read both. roundrobin gives one of them 4 partitions,"
        " sticky at most 3.",
        assignor="sticky",
    ),
    _stored(
        "ten-consumers-kafka-0.10",
        "Ten consumers, Kafka 0.10",
        "A real listing: ten partitions, a member for each, a lag of 6.8 million records.",
        assignor="cooperative-sticky",
        load=_listing,
    ),
    _stored(
        "three-consumers-kafka-0.10",
        "Three consumers, Kafka 0.10",
        "A real listing: two topics of three partitions on three members.",
        assignor="cooperative-sticky",
        load=_listing,
    ),
)
_MANY = (
    _many(
        "kafka-9987",
        "as it runs",
        "2,100 members on 2,100 partitions: minutes for old sticky assignors (KAFKA-9987), instant"
        " here.",
    ),
    _many(
        "kafka-9987-fresh",
        "fresh start",
        "The 2,100 members start together and own nothing yet.",
        is_fresh=True,
    ),
    _many(
        "kafka-9987-leave",
        "one leaves",
        "A member has left. Its partition moves to another member; all others stay.",
        left=1,
    ),
    _many(
        "kafka-9987-join",
        "one joins",
        "One more member than partitions: the new member is idle, and no partition moves.",
        joined=1,
    ),
)

WORKED_EXAMPLES = (*_STORED, *_MANY)
"""The examples in the order of the dialog."""


def worked_example(slug: str) -> WorkedExample | None:
    """Return the example with this slug, None if there is none."""
    return next((example for example in WORKED_EXAMPLES if example.slug == slug), None)


# Worked examples of Kafka Streams: applications that load immediately.


class StreamsExample(NamedTuple):
    """An example application. `slug`: its name in links."""

    slug: str
    title: str
    sentence: str


STREAMS_EXAMPLES = (
    StreamsExample(
        "kip-441",
        "An instance joins, KIP-441",
        "Six stateful tasks on two instances, and a third instance without state: it warms up"
        " while the others continue.",
    ),
    StreamsExample(
        "orders-enrich",
        "Two disks lost",
        "12 Streams instances, 40 stateful tasks. Two instances came back without their disks;"
        " probing rebalances fill them two by two.",
    ),
)


def streams_example(slug: str) -> StreamsExample | None:
    """Return the example with this slug, None if there is none."""
    return next((example for example in STREAMS_EXAMPLES if example.slug == slug), None)


@cache
def example_document(slug: str) -> Application:
    """Return the streams document of an example."""
    return decode_application((SAMPLES / f"{slug}.json").read_bytes())


# The worked example of the Rebalances page.


def example_log() -> tuple[str, bytes]:
    """Return the name and content of a broker's log. In it, six members restart one by one, a
    member is too slow twice, a member dies, and the topic gets partitions.
    """
    path = SAMPLES / "payments-coordinator.txt"
    return path.name, path.read_bytes()
