"""Freezing: what an author hands over becomes what is stored."""

from data.shares.payload import Payload, checked
from data.shares.share import Frozen


def frozen_payload(frozen: Frozen) -> Payload:
    """Return what is stored of a scenario and its result.

    Raises
    ------
    SnapshotError
        For a format of a newer Evenkeel.
    """
    return checked(frozen.scenario, frozen.result)
