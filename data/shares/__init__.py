"""Shares: a scenario and its result, frozen under an id that cannot be guessed, with or without the
true names.
"""

from evenkeel.data.shares.share import Frozen, Listed, Made, Share
from evenkeel.data.shares.shares import Shares
from evenkeel.data.shares.store import shares

__all__ = ["Frozen", "Listed", "Made", "Share", "Shares", "shares"]
