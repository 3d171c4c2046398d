"""New ids: random ids that members get when they join.

The broker's assignors iterate over a HashMap of member ids, so ids affect the assignment. A draw is
one choice of all new ids.
"""

import base64
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

import numpy as np

from evenkeel.assignors.java.collections import spread_bits, timeline_slots
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, string_hashes, threshold

_TRIES, _FINE = 8, 1 << 20
"""Number of ids tried for each bucket, and number of slots in the table that orders these ids."""


class NewIds:
    """Ids of new members: known ids, or else ids of the draw with the number `draw`.

    Draw 0: the ids are random. The next draws are the first turn: each new member is once in each
    of at most 32 buckets of the broker's HashMap, and any two new members occur in both orders.
    With more than 24 members the map has more buckets, which are not tried. The draws after that
    are the second turn, with the same buckets. If a new member shares a bucket with another member,
    their order is the reverse of the first turn. `is_odd`: whether `draw` is odd; unknown orders
    are then reversed.
    """

    def __init__(self, draw: int, known: Mapping[int, str], member_count: int):
        self._rng, self._known, self._draw, self._given = (
            np.random.default_rng(draw),
            known,
            draw,
            0,
        )
        self._buckets = _bucket_count(member_count)
        self._turn, self._place = divmod(draw - 1, self._buckets)
        self.is_odd = bool(draw % 2)

    def repeats(self, taken: Set[int]) -> bool:
        """Return whether a draw of the second turn gives the same order as the first turn, because
        no member is in the bucket of the first new id. `taken`: buckets of the members.
        """
        return self._turn > 0 and bool(_place_of(self._buckets, 1)[self._place] not in taken)

    def of_consumer(self, row: int) -> str:
        """Return an id in the form of the consumer protocol: 22 characters of base64url."""
        if row in self._known:
            return self._known[row]
        if not self._draw:
            return _random_id(self._rng)
        self._given += 1
        return _ids_by_bucket(self._buckets, self._given)[
            _place_of(self._buckets, self._given)[self._place]
        ][self._turn % 2]

    def of_classic(self, row: int, model: str) -> str:
        """Return an id in the coordinator's form: the client id and a UUID."""
        text = self._rng.bytes(16).hex()
        uuid = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        return self._known.get(row) or f"{model[: -len(uuid)]}{uuid}"


def _bucket_count(member_count: int) -> int:
    return 2 * FIRST_CAPACITY if member_count >= threshold(FIRST_CAPACITY) else FIRST_CAPACITY


def buckets_of(member_ids: Sequence[str], member_count: int) -> np.ndarray:
    """Return the bucket of each id in a Java HashMap with `member_count` entries, uint32."""
    return spread_bits(string_hashes(member_ids)) & np.uint32(_bucket_count(member_count) - 1)


@lru_cache(256)
def _place_of(buckets: int, number: int) -> list[int]:
    """Return the bucket of new member `number` in each draw. Each new member takes the buckets in
    its own order.
    """
    return np.random.default_rng(number).permutation(buckets).tolist()


@lru_cache(256)
def _ids_by_bucket(buckets: int, number: int) -> list[tuple[str, str]]:
    """Return two random ids for each bucket of a HashMap. Many ids of the bucket are tried: the
    result is the first and the last in the order of the coordinator's table.
    """
    rng = np.random.default_rng((buckets, number))
    tried: list[str] = []
    ids: dict[int, list[str]] = {}
    while len(ids) < buckets or len(tried) < _TRIES * buckets:
        some = [_random_id(rng) for _ in range(buckets)]
        tried += some
        for bucket, name in zip(
            (spread_bits(string_hashes(some)) & np.uint32(buckets - 1)).tolist(), some, strict=True
        ):
            ids.setdefault(bucket, []).append(name)
    return [_outermost(ids[bucket]) for bucket in range(buckets)]


def _outermost(names: list[str]) -> tuple[str, str]:
    slots = timeline_slots(string_hashes(names), _FINE)
    return names[int(np.argmin(slots))], names[int(np.argmax(slots))]


def _random_id(rng: np.random.Generator) -> str:
    return base64.urlsafe_b64encode(rng.bytes(16)).decode().rstrip("=")
