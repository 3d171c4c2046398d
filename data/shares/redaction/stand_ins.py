"""Stand-ins: `host-01`, `topic-03`; numbered in the order of the names, with as many digits as it takes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from string import ascii_lowercase

from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.redaction.kinds import Kind

SHORTEST = 3
"""A shorter name is found in nearly any text by chance."""

_WIDTHS = 6


def stand_ins(names: Mapping[Kind, Sequence[str]]) -> dict[Kind, dict[str, str]]:
    """Return the stand-in of each name of the kinds that are redacted.

    Raises
    ------
    SnapshotError
        Where every numbering holds one of the names that it hides.
    """
    originals = {each.casefold() for some in names.values() for each in some if len(each) >= SHORTEST}
    return {kind: dict(zip(sorted(some), _chosen(kind, len(some), originals), strict=True)) for kind, some in names.items()}


def _chosen(kind: Kind, count: int, originals: set[str]) -> list[str]:
    """Return the first numbering that holds no original name: a group may have a topic `topic-01` itself."""
    for numbers in _numberings(count):
        chosen = [f"{kind.word}-{number}" for number in numbers]
        # A name within the word itself, such as a topic "topic", is no secret.
        shown = "\n".join(chosen)
        if not any(name in shown and name not in f"{kind.word}-" for name in originals):
            return chosen
    raise SnapshotError(f"no stand-ins for {kind.name}: each of {kind.word}-01, {kind.word}-001, {kind.word}-aa, … holds a name to redact")


def _numberings(count: int) -> Iterator[list[str]]:
    shortest = max(2, len(str(count)))
    for width in range(shortest, shortest + _WIDTHS):
        yield [f"{number:0{width}}" for number in range(1, count + 1)]
    for width in range(shortest, shortest + _WIDTHS):
        yield ["".join(letters) for letters in islice(product(ascii_lowercase, repeat=width), count)]
