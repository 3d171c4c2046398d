"""What a member sends when it joins: the bytes of ConsumerProtocolSubscription, version 3."""

import struct
from collections.abc import Mapping, Sequence

_VERSION = 3
_NULL = -1


def subscription(member: Mapping) -> bytes:
    """Encode a member of a group document; a null rack stays null, the empty one empty."""
    owned = sorted(
        (topic, sorted(numbers))
        for topic, numbers in (member.get("owned") or {}).items()
        if numbers
    )
    generation = _NULL if member.get("generation") is None else member["generation"]
    return b"".join(
        [
            struct.pack(">h", _VERSION),
            _listed([_text(topic) for topic in sorted(member["subscribed"])]),
            struct.pack(">i", 0),
            _listed(
                [
                    _text(topic) + _listed([struct.pack(">i", number) for number in numbers])
                    for topic, numbers in owned
                ]
            ),
            struct.pack(">i", generation),
            _text(member.get("rack")),
        ]
    )


def _listed(elements: Sequence[bytes]) -> bytes:
    return struct.pack(">i", len(elements)) + b"".join(elements)


def _text(text: str | None) -> bytes:
    octets = (text or "").encode("utf-8", "surrogatepass")
    return struct.pack(">h", _NULL if text is None else len(octets)) + octets
