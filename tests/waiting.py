"""Waits that end: with what is waited for, or with an assertion after so many seconds."""

import asyncio
import subprocess
import time
from collections.abc import Callable, Coroutine
from contextvars import Context
from functools import cache
from threading import Thread, Timer
from typing import Any


def until(condition: Callable[[], Any], seconds: float = 300, pause: float = 0.05) -> Any:
    """Return the first true value of `condition()`."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not come to this in {seconds} s"
        time.sleep(pause)
    return found


def lines_until(process: subprocess.Popen, *words: str, seconds: float = 500) -> list[str]:
    """Return the lines that a process prints up to one with any of these words; one that does not
    print it in time is killed.
    """
    timer, lines = Timer(seconds, process.kill), []
    timer.start()
    try:
        while not any(word in line for word in words for line in lines[-1:]):
            lines.append(process.stdout.readline())
            assert lines[-1], f"no {words} in {''.join(lines)!r}, {process.stderr.read()!r}"
    finally:
        timer.cancel()
    return lines


def awaited(coroutine: Coroutine) -> Any:
    """Return what a coroutine returns, run in another thread: in this one Playwright may have a
    loop that runs. It knows no context of the caller, as a request knows none.
    """
    return Context().run(asyncio.run_coroutine_threadsafe, coroutine, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return a loop that runs until the process ends: a new loop and its thread take longer than
    most coroutines.
    """
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="awaited", daemon=True).start()
    return loop
