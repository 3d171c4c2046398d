"""Answers computed in a process of their own: a large group neither slows down others nor stays in memory, and can be stopped."""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from data.errors import SnapshotError
from data.scenarios.answers import Answers, answers
from data.scenarios.scenario.scenario import Settings
from data.scenarios.stored_group import StoredGroup, observed_group

_BEHIND_OTHERS = 10


class AnswerProcess:
    """One computation. `environment`: of the process; `secrets`: variables that it is told through its standard input."""

    def __init__(self, one: StoredGroup, settings: Settings, environment: Mapping[str, str], secrets: Mapping[str, str]):
        self._answer = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "data.scenarios.own_process"],
            cwd=Path(__file__).parents[2],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self._answer,
        )
        with self._process.stdin as request:
            pickle.dump((one, settings, secrets), request)

    def has_ended(self, seconds: float) -> bool:
        """Wait at most so long; tell whether the answer is ready."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def answer(self) -> Answers:
        """Return the answer of a computation that has ended.

        Raises
        ------
        SnapshotError
            When the batch is gone, or the process was ended from outside.
        """
        if self._process.returncode:
            raise SnapshotError(
                f"the process that compares this group ended with {self._process.returncode}, expected 0; memory may be short"
            )
        self._answer.seek(0)
        found = pickle.load(self._answer)
        if isinstance(found, str):
            raise SnapshotError(found)
        return found

    def stop(self) -> None:
        """End the process, finished or not."""
        self._process.kill()
        self._process.wait()
        self._answer.close()


def _main() -> None:
    os.nice(_BEHIND_OTHERS)
    one, settings, secrets = pickle.load(sys.stdin.buffer)
    os.environ.update(secrets)
    try:
        found = answers(observed_group(one), settings)
    except SnapshotError as error:
        found = str(error)
    pickle.dump(found, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _main()
