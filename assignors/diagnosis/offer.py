"""Offer: an assignor that the group can get by a setting, its gain and its price; and the offer to
advise.
"""

from collections.abc import Sequence
from typing import NamedTuple

_POINTS = 0.02
"""If gains differ by at most this part, the cheaper assignor is advised."""


class Offer(NamedTuple):
    """An assignor that the group can get by a setting. `worst`: lag of the worst member under it.

    `price`: sort key, the cheapest offer first. `moved`: number of partitions that change owner.
    """

    name: str
    worst: int
    moved: int
    price: tuple


def largest_gain(offers: Sequence[Offer], worst: int) -> Offer | None:
    """Return the offer with the largest gain, or a cheaper offer within two points of this gain.
    None if no offer gives the worst member less lag than `worst`.
    """
    better = [offer for offer in offers if offer.worst < worst]
    least = min((offer.worst for offer in better), default=0)
    near = [offer for offer in better if offer.worst - least <= _POINTS * worst]
    return min(near, key=lambda offer: offer.price, default=None)
