"""Readers: the members of a group, a process each."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_LEAVE_SECONDS = 20


class Readers:
    """Started and stopped together; a context manager that stops them."""

    def __init__(self, bootstrap: str, group_id: str, names: tuple[str, ...], rate: float):
        self._words = bootstrap, group_id, rate
        self._names, self._loaded, self._running = names, {}, {}

    def load(self, assignor: str) -> None:
        """Load a process for each member, beside those that run: loading takes seconds, joining
        does not.
        """
        bootstrap, group_id, rate = self._words
        for name in self._names:
            command = [
                sys.executable,
                "-m",
                "tests.brokers.drain.reader",
                bootstrap,
                name,
                group_id,
                assignor,
                str(rate),
            ]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self._loaded[name] = subprocess.Popen(command, cwd=_ROOT, **pipes)
        for process in self._loaded.values():
            process.stdout.readline()

    def start(self) -> None:
        """Let the loaded members join."""
        self._running, self._loaded = self._loaded, {}
        for process in self._running.values():
            process.stdin.write("\n")
            process.stdin.flush()

    def change(self, name: str, rate: float) -> None:
        """Let one member read at another rate, records/s."""
        self._running[name].stdin.write(f"{rate}\n")
        self._running[name].stdin.flush()

    def stop(self) -> None:
        """Let all members leave the group."""
        for process in self._running.values():
            process.stdin.close()
        for process in self._running.values():
            try:
                process.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._running.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        for process in self._loaded.values():
            process.kill()
            process.wait()
