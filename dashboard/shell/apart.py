"""Run heavy computations of the pages and of the API in separate processes. At most two processes
run at the same time; further computations wait in a queue.

    answers = run(limits(), answered_group, one, settings)

Work that reads files has a queue of its own.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar, Self

from evenkeel.dashboard.shell.cache import look_up, tell
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.handover import secrets_of, without_secrets
from evenkeel.data.errors import SnapshotError
from evenkeel.data.own_process import Limits, OwnProcess
from evenkeel.data.scenarios.run.results import GroupResult, require_allowed, result_of
from evenkeel.data.scenarios.scenario.scenario import Scenario
from evenkeel.data.scenarios.size import SizeOfGroup, edit_count, work_of

_LOOK_UP_SECONDS = 0.1
_HEAVY = 500_000
"""Partitions in all answers. Computing that many takes about as long as starting a process."""

_EDIT = 1_000
"""An edit of the smallest group takes as long as this number of partitions."""

_AT_ONCE = 2
"""More processes would compete with the pages for two cores and need more memory."""

ENDING = threading.Event()
"""Set when the server stops; no computation continues after it."""


class NotWantedError(Exception):
    """Raised to end a computation whose result no page waits for."""


class Turn:
    """A place in the queue, held during a `with` block. The first two places may run, the others
    wait in order.
    """

    _all: ClassVar[list["Turn"]] = []
    _lock = threading.Lock()

    def __enter__(self) -> Self:
        with self._lock:
            self._all.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._all.remove(self)

    @property
    def place(self) -> int:
        """The place in the queue: 0 if the work may run, 1 if it is the next to run."""
        with self._lock:
            return max(self._all.index(self) - _AT_ONCE + 1, 0)


class ReadingTurn(Turn):
    """A place in the queue for reading files. It is a separate queue, so that pasted text does not
    wait for large computations.
    """

    _all: ClassVar[list["Turn"]] = []


def is_heavy(work: int, edit_count: int = 0) -> bool:
    """Return whether work of this size must run in a separate process. `work`: partitions ×
    answers.
    """
    return work + _EDIT * edit_count > _HEAVY


def limits() -> Limits:
    """Return the limits of one answer, from the configuration."""
    chosen = configuration()
    return Limits(chosen.memory_bytes, chosen.time_limit, without_secrets(), secrets_of())


def result(scenario: Scenario) -> GroupResult:
    """Return the results of a shared scenario. A heavy scenario runs in a separate process. Raises
    the errors of `result_of` and `run`.
    """
    budget, size = configuration().budget, SizeOfGroup.of_document(scenario.group)
    assignor_count = len(require_allowed(scenario, budget=budget))
    work = size.footprint.work + work_of(size, scenario.steps)
    if is_heavy(assignor_count * work, assignor_count * edit_count(scenario.steps)):
        return run(limits(), result_of, scenario)
    return result_of(scenario)


def run(
    most: Limits,
    function: Callable[..., Any],
    *arguments: Any,
    is_wanted: Callable[[], bool] = lambda: True,
) -> Any:
    """Call a function of `data` in a separate process and return its result. While the call waits
    in the queue, the page shows the place in the queue.

    The process is stopped if the session closes or opens another page.

    Raises
    ------
    NotWantedError
        If `is_wanted` returns False.
    LimitError, SnapshotError
        The errors of `OwnProcess.answer`.
    """
    return _answer(Turn(), lambda: OwnProcess(most, function, *arguments), is_wanted)


def read(begin: Callable[[], OwnProcess]) -> Any:
    """Wait for a process that reads files, and return its result. `begin` starts the process."""
    return _answer(ReadingTurn(), begin, lambda: True)


def _answer(queue: Turn, begin: Callable[[], OwnProcess], is_wanted: Callable[[], bool]) -> Any:
    with queue as turn:
        while place := turn.place:
            tell(place)
            _look(is_wanted)
            time.sleep(_LOOK_UP_SECONDS)
        tell(0)
        running = begin()
        try:
            while not running.has_ended(_LOOK_UP_SECONDS):
                _look(is_wanted)
            return running.answer()
        finally:
            running.stop()


def _look(is_wanted: Callable[[], bool]) -> None:
    look_up()
    if ENDING.is_set():
        raise SnapshotError("the server is stopping, so this computation was ended")
    if not is_wanted():
        raise NotWantedError
