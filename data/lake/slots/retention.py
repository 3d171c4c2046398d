"""How long a collector's slots are stored, and in which form."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum


class Form(Enum):
    """Storage form of a day's slots."""

    HOUR = "a batch for each hour"
    DAY = "one batch"
    THINNED = "one batch, with a slot for each 10 minutes"
    NONE = "deleted"


@dataclass(frozen=True)
class Retention:
    """Ages at which the slots of a day are joined into one batch, thinned, and deleted. The age is
    the time since the end of the day in UTC.
    """

    compact_after: timedelta = timedelta(days=1)
    keep_slots: timedelta = timedelta(days=7)
    keep_thinned: timedelta = timedelta(days=90)

    @property
    def keep_changes(self) -> timedelta:
        """How long changes of verdicts are stored: `keep_thinned`, but at least 90 days."""
        return max(self.keep_thinned, timedelta(days=90))

    def form(self, day: date, now: datetime) -> Form:
        """Return the storage form of a day at the time `now`. In the form HOUR, the slots of an
        unfinished hour are still single batches.
        """
        age = now - datetime.combine(day, time(), UTC) - timedelta(days=1)
        ages = (
            (self.keep_thinned, Form.NONE),
            (self.keep_slots, Form.THINNED),
            (self.compact_after, Form.DAY),
        )
        return next((form for least, form in ages if age >= least), Form.HOUR)
