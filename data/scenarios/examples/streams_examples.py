"""The worked examples of Kafka Streams: applications that load at once."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from evenkeel.data.document import decode_application
from evenkeel.data.document.application import Application

SAMPLES = Path(__file__).parent / "samples"


class StreamsExample(NamedTuple):
    """One application; `slug` names it in links."""

    slug: str
    title: str
    sentence: str
    tags: tuple[str, ...]


STREAMS_EXAMPLES = (
    StreamsExample(
        "kip-441",
        "An instance joins, KIP-441",
        "Six stateful tasks on two instances, and a third one without state: it warms up while the others work on.",
        ("Streams", "KIP-441"),
    ),
    StreamsExample(
        "orders-enrich",
        "Two disks lost",
        "12 Streams instances, 40 stateful tasks. Two instances came back without their disks; probing rebalances fill them two by two.",
        ("Streams", "warm-ups"),
    ),
)


def streams_example(slug: str) -> StreamsExample | None:
    """Return the example of a link, None where there is none of that name."""
    return next((example for example in STREAMS_EXAMPLES if example.slug == slug), None)


@cache
def example_document(slug: str) -> Application:
    """Return an example's streams document."""
    return decode_application((SAMPLES / f"{slug}.json").read_bytes())
