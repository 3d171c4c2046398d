"""Counters of events in this process, without names of users or groups. `GET /metrics` shows the
counts.
"""

import threading
from typing import ClassVar


class Tally:
    """A counter that only grows. `help`: description in `/metrics`. `ALL`: all counters of this
    process, in order of creation.
    """

    ALL: ClassVar[list["Tally"]] = []

    def __init__(self, name: str, help: str):
        self.name, self.help = name, help
        self._count, self._lock = 0, threading.Lock()
        self.ALL.append(self)

    @property
    def count(self) -> int:
        """The current count."""
        return self._count

    def add(self, number: int = 1) -> None:
        """Add to the count."""
        with self._lock:
            self._count += number


SHARES_MADE = Tally("evenkeel_shares_made", "Shares that were made")
SHARES_OPENED = Tally(
    "evenkeel_shares_opened", "Shares that were opened, on a page or through the API"
)
IMPORTS = Tally("evenkeel_imports", "Uploads that were read")
LINES = Tally("evenkeel_lines", "Lines of uploads, read or rejected")
LIVE_REQUESTS = Tally(
    "evenkeel_live_requests", "Queries of live clusters, each with several requests"
)
LIVE_ERRORS = Tally("evenkeel_live_errors", "Queries of live clusters that failed")
