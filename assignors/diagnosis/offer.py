"""Offer: an assignor that a setting gives the group, with its gain and its price; and the offer to
advise.
"""

from collections.abc import Sequence
from typing import NamedTuple

_POINTS = 0.02
"""Gains that differ by no more are equal: the cheaper assignor is advised."""


class Offer(NamedTuple):
    """An assignor that a setting gives the group. `worst`: lag of its worst member.

    `price`: orders offers, the cheapest first. `moved`: partitions that change owner.
    """

    name: str
    worst: int
    moved: int
    price: tuple


def largest_gain(offers: Sequence[Offer], worst: int) -> Offer | None:
    """Return the offer with the largest gain, or a cheaper one within two points of it; None if no
    offer leaves the worst member less than `worst`.
    """
    better = [offer for offer in offers if offer.worst < worst]
    least = min((offer.worst for offer in better), default=0)
    near = [offer for offer in better if offer.worst - least <= _POINTS * worst]
    return min(near, key=lambda offer: offer.price, default=None)
