"""Leases of killed holders whose name nobody takes again, and what killed processes left of the clock: deleted when old."""

from datetime import datetime, timedelta

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.runs.lease import CLOCK, COLLECTORS, TIDYING

OLD = timedelta(days=1)
"""Far longer than a lease lasts: a holder whose service is away for hours goes on when it is back."""


def delete_old(lake: Place, now: datetime) -> None:
    """Delete what was last written longer ago; leases of batches say what must be done first, and are not among it."""
    lake.delete(one.key for folder in (COLLECTORS, TIDYING, CLOCK) for one in lake.found(folder) if now - one.written_at > OLD)
