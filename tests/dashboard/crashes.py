"""Crashes of pages: what a person sees as an error id, whatever a test looks at."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from evenkeel.data.errors import SnapshotError

_LOGGERS = ("evenkeel", "streamlit.error_util", "streamlit.runtime.scriptrunner.exec_code")
# Not Streamlit's own "Uncaught app execution": it stands there for refusals too, which are shown as
# a sentence.
_IN_A_LOG = re.compile(r"^.*\berror [0-9a-f]{8}\b.*$", re.MULTILINE)


class _Collector(logging.Handler):
    def __init__(self):
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, SnapshotError):
            self.found.append(f"{record.getMessage()}: {error!r}")


@contextmanager
def crashes() -> Iterator[list[str]]:
    """Collect the crashes of pages in this process meanwhile."""
    collector = _Collector()
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addHandler(collector)
    try:
        yield collector.found
    finally:
        for logger in loggers:
            logger.removeHandler(collector)


def crashes_in(log: str) -> list[str]:
    """Return the lines of a server's log that tell of one."""
    return _IN_A_LOG.findall(log)
