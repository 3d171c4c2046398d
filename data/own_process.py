"""Work in a separate process. Large work then does not slow down other requests. The process has
limits and can be stopped, and its end frees the memory.

    running = OwnProcess(Limits(), answered_group, one, settings)

The process ends when its parent ends, for any reason. It is a new Python process, or a fork of
`warm_host`.

For other work: `threads` runs requests that mostly wait, without limits.
`configuration.plugin.host` runs a Java class that answers many requests. For a program that ends by
itself, `subprocess.run` with a time limit is enough.
"""

import os
import pickle
import resource
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from signal import Signals
from typing import Any, BinaryIO, NamedTuple, Protocol

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import in_bytes

_CHUNK = 2**20
_LOOK_UP_SECONDS = 0.1
_VALUE, _BYTES, _REFUSED, _MEMORY = b"v", b"b", b"r", b"m"
"""First byte of an answer: what follows is a pickled value, plain bytes, an error message, or
nothing because memory ran out.
"""
_NO_MEMORY_FOR_A_THREAD = 127
"""Exit code of glibc's loader if memory is too small for a thread's own data."""


class Limits(NamedTuple):
    """The limits of a process, its environment, and words for error messages.

    `memory_bytes`: memory limit. `time`: time limit, None for no limit. `environment`: environment
    variables, None for the variables of this process. `secrets`: more variables, which lists of
    processes do not show. `niceness`: as in `nice`. Words: `subject` names the work, `process`
    names the process, and `after` is added to the end of a message.
    """

    memory_bytes: int = 3 * 10**9
    time: timedelta | None = None
    environment: Mapping[str, str] | None = None
    secrets: Mapping[str, str] = {}
    niceness: int = 10
    subject: str = "the answer"
    process: str = "the process that computes the answer"
    after: str = ""


class LimitError(SnapshotError):
    """A process needed more time or memory than its limits."""


class EndedError(SnapshotError):
    """A process was killed, or failed, before it answered."""


class Running(Protocol):
    """The methods of `subprocess.Popen` that `OwnProcess` needs."""

    returncode: int | None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process ends; raise TimeoutExpired if it takes longer."""

    def kill(self) -> None:
        """End the process now if it is running."""


class Begin(Protocol):
    """A function that starts a process for one request. `watched`: read end of a pipe; the process
    must end when the pipe closes.
    """

    def __call__(
        self,
        request: BinaryIO,
        answer: BinaryIO,
        watched: int,
        environment: Mapping[str, str] | None,
    ) -> Running: ...


def new_process(
    request: BinaryIO, answer: BinaryIO, watched: int, environment: Mapping[str, str] | None
) -> Running:
    """Start a new Python process. It has to import its modules."""
    command = [sys.executable, "-P", "-m", "evenkeel.data.own_process", str(watched)]
    return subprocess.Popen(
        command, env=environment, stdin=request, stdout=answer, pass_fds=(watched,)
    )


class OwnProcess:
    """One call of a function in a separate process. `begin` starts the process. The function must
    be in a module; arguments and result are pickled.
    """

    def __init__(
        self,
        limits: Limits,
        function: Callable[..., Any],
        *arguments: Any,
        begin: Begin = new_process,
    ):
        self._limits, self._is_late = limits, False
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as this object
        watched, self._lifeline = os.pipe()
        with _in_memory() as request:
            pickle.dump((limits.memory_bytes, limits.secrets, limits.niceness), request)
            pickle.dump((function, arguments), request, protocol=pickle.HIGHEST_PROTOCOL)
            request.seek(0)
            try:
                self._process = begin(request, self._answer, watched, limits.environment)
            finally:
                os.close(watched)
        self._begin = time.monotonic()

    def has_ended(self, seconds: float) -> bool:
        """Wait at most `seconds`. Return whether the process has ended. If the process has reached
        its time limit, this call ends it.
        """
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            limit = self._limits.time
            self._is_late = (
                limit is not None and time.monotonic() - self._begin > limit.total_seconds()
            )
            if self._is_late:
                self._process.kill()
                self._process.wait()
            return self._is_late
        return True

    def answer(self) -> Any:
        """Return the function's result. Raises the errors of `require_answer`."""
        self.require_answer()
        return pickle.load(self._answer)

    def parts(self) -> Iterator[bytes]:
        """Yield the returned bytes in chunks. Call `require_answer` first."""
        while part := self._answer.read(_CHUNK):
            yield part

    def require_answer(self) -> None:
        """Raise an error if the process has ended without an answer.

        Raises
        ------
        LimitError
            If the process needed more time or memory than its limits.
        EndedError
            If the process was killed, or failed.
        SnapshotError
            If the function raised a SnapshotError.
        """
        limits = self._limits
        if self._is_late:
            seconds = limits.time.total_seconds()
            raise LimitError(
                f"{limits.subject} takes longer than {seconds:g} s, expected at most that ([limits]"
                f" time){limits.after}"
            )
        self._answer.seek(0)
        kind = self._answer.read(1)
        if kind == _MEMORY or self._process.returncode == _NO_MEMORY_FOR_A_THREAD:
            most = in_bytes(limits.memory_bytes)
            raise LimitError(
                f"{limits.subject} takes more than {most} of memory, expected at most that"
                f" ([limits] memory){limits.after}"
            )
        if self._process.returncode:
            code = self._process.returncode
            ending = Signals(-code).name if code < 0 else f"exit code {code}"
            raise EndedError(
                f"{limits.process} was ended by {ending}, expected an answer; memory may be"
                f" short{limits.after}"
            )
        if kind == _REFUSED:
            raise SnapshotError(self._answer.read().decode())

    def stop(self) -> None:
        """End the process if it is running, and free its files."""
        self._process.kill()
        self._process.wait()
        self._answer.close()
        os.close(self._lifeline)


def _in_memory() -> BinaryIO:
    """Return a file for data with secrets. The file is in memory if the system has such files, else
    on disk.
    """
    return (
        os.fdopen(os.memfd_create("request"), "w+b")
        if hasattr(os, "memfd_create")
        else tempfile.TemporaryFile()
    )


def answered(running: OwnProcess) -> Any:
    """Wait for the answer of a process and return it. Raises the errors of
    `OwnProcess.require_answer`.
    """
    try:
        while not running.has_ended(_LOOK_UP_SECONDS):
            pass
        return running.answer()
    finally:
        running.stop()


def serve(request: BinaryIO, answer: BinaryIO, *watched: int) -> None:
    """Answer one request, then end this process. `watched`: read ends of pipes. The process also
    ends when one of these pipes is closed.
    """
    threading.Thread(target=_end_with, args=watched, daemon=True).start()
    most, secrets, niceness = pickle.load(request)
    os.nice(niceness)
    os.environ.update(secrets)
    # Not RLIMIT_AS: it also counts reserved address space that is never used.
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        function, arguments = pickle.load(request)
        _write(answer, function(*arguments))
    except SnapshotError as error:
        answer.write(_REFUSED + str(error).encode())
    except MemoryError:
        answer.seek(0)
        answer.truncate()
        answer.write(_MEMORY)
    answer.flush()
    # Skip the interpreter's shutdown: it frees objects one by one, and the system frees the memory
    # at once.
    os._exit(0)


def _main(watched: int) -> None:
    # Output that a library prints must not become part of the answer.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answer, watched)


def _write(answer: Any, reply: Any) -> None:
    if isinstance(reply, bytes):
        answer.write(_BYTES)
        answer.write(reply)
    else:
        answer.write(_VALUE)
        pickle.dump(reply, answer, protocol=pickle.HIGHEST_PROTOCOL)


def _end_with(*watched: int) -> None:
    select.select(watched, [], [])
    os._exit(1)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
