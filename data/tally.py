"""Tally: how often something happened in this process. Rooms count; `GET /metrics` shows the
numbers, which name nobody.
"""

import threading
from typing import ClassVar


class Tally:
    """One number that only grows. `help`: what it counts; `ALL`: all of the process, in the order
    in which they were made.
    """

    ALL: ClassVar[list["Tally"]] = []

    def __init__(self, name: str, help: str):
        self.name, self.help = name, help
        self._count, self._lock = 0, threading.Lock()
        self.ALL.append(self)

    @property
    def count(self) -> int:
        """The number."""
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
    "evenkeel_live_requests", "Questions to live clusters, of several requests each"
)
LIVE_ERRORS = Tally("evenkeel_live_errors", "Questions to live clusters that failed")
