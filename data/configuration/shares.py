"""What the administrator says about shares: the table `[shares]` of the configuration."""

from datetime import timedelta
from typing import Annotated

import msgspec

from evenkeel.data.configuration.quantities import ByteCount, Duration

_Number = Annotated[int, msgspec.Meta(ge=0, description="a whole number, 0 or more")]


class ShareSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of shares.

    Parameters
    ----------
    keep : Duration
        After which time a share expires where its author chooses nothing.
    choices : tuple of Duration
        The other times that an author may choose.
    never : bool
        Whether an author may choose that a share never expires.
    size : ByteCount
        Compressed bytes of one share.
    per_day : int
        Shares that one browser may make in 24 hours.
    """

    keep: Duration = Duration(days=30)
    choices: tuple[Duration, ...] = (Duration(days=1), Duration(days=7), Duration(days=30))
    never: bool = False
    size: ByteCount = ByteCount(16 * 10**6)
    per_day: _Number = 100

    @property
    def expiries(self) -> list[timedelta | None]:
        """The times that an author may choose, shortest first; None: never, where that is allowed."""
        return [*sorted({self.keep, *self.choices}), *([None] if self.never else [])]
