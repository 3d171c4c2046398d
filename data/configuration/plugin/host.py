"""Host: a Java program in its own process that answers each line with a line."""

import os
import selectors
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO

from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.configuration.java import java_home

START_LIMIT_SECONDS = 60.0
_OUT_OF_MEMORY_EXIT = 3
_READY = b"ready"
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""The JVM's environment; it contains no secret of a cluster."""


class KilledError(AssignorError):
    """A signal killed the JVM. Linux does this if memory is short; the group is not the reason.

    `at`: time of the error, in seconds of `time.monotonic`.
    """

    def __init__(self, number: int):
        super().__init__(
            "ProcessExit",
            f"the JVM was killed by signal {number} before it had answered; the next question"
            " starts a new JVM",
        )
        self.at = monotonic()


class Host:
    """A JVM that starts at the first question.

    If the JVM ends, needs too much time or needs too much memory, the next question starts a new
    JVM.

    The JVM and its children are one process group, which ends with `close`, with this object or
    with this process.

    Parameters
    ----------
    class_path : jars and folders
    program : list of str
        A source file or a class, then its arguments.
    memory : str
        Limit of the Java heap, as Java writes it: `256m`.
    options : list of str
        More options of the JVM. The default turns off Java's slower compiler: this halves the start
        time and suits small groups.
    """

    def __init__(
        self,
        class_path: Sequence[Path | str],
        program: Sequence[Path | str],
        memory: str,
        options: Sequence[str] = ("-XX:TieredStopAtLevel=1",),
    ):
        limits = [
            f"-Xmx{memory}",
            "-XX:MaxMetaspaceSize=256m",
            "-XX:+ExitOnOutOfMemoryError",
            # Standard output is only for answers.
            "-XX:+DisplayVMOutputToStderr",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
        ]
        paths = os.pathsep.join(str(path) for path in class_path)
        self._environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._command = [
            str(java_home() / "bin" / "java"),
            *limits,
            *options,
            "-cp",
            paths,
            *map(str, program),
        ]
        self._memory = memory
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._stop = lambda: None

    def ask(self, questions: Sequence[bytes], time_limit: float) -> list[bytes]:
        """Return one answer for each question, in order.

        Raises
        ------
        AssignorError
            `TimeoutException` after more than `time_limit` seconds, `OutOfMemoryError`, or
            `ProcessExit` if the JVM ended for another reason; `KilledError` if a signal ended it.
        """
        with self._lock:
            if self._process and self._process.poll() is not None:
                # The JVM ended after the last answer, so this question is not the cause.
                self._end()
            if self._process is None:
                self._start()
            answers = self._exchange(
                b"".join(question + b"\n" for question in questions), len(questions), time_limit
            )
            if len(answers) != len(questions):
                self._end()
                raise AssignorError(
                    "ProcessExit", f"the JVM wrote {len(answers)} lines, expected {len(questions)}"
                )
            return answers

    def close(self):
        """End the JVM. Waiting callers get an error; the next question starts a new JVM."""
        process = self._process
        if process:
            # Only the reading thread closes the pipes. If this thread closed them, the other
            # thread's read would fail or never end.
            _kill(process)
        with self._lock:
            self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _start(self):
        # Not a pipe: no thread would read it, and a full pipe blocks the JVM.
        errors = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as this object
        try:
            self._process = process = subprocess.Popen(
                self._command,
                start_new_session=True,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        except OSError as error:
            raise AssignorError("ProcessExit", f"the JVM did not start: {error}") from error
        self._stop = weakref.finalize(self, _release, process)
        assert process.stdin
        # Without this, a write to a JVM that does not read would block without a time limit.
        os.set_blocking(process.stdin.fileno(), False)
        with errors:
            try:
                answer = self._exchange(b"", 1, START_LIMIT_SECONDS)
            except KilledError:
                raise
            except AssignorError as error:
                errors.seek(0)
                complaint = errors.read(2000).decode(errors="replace").strip().splitlines()
                raise AssignorError(
                    error.java_class,
                    f"the JVM did not start: {complaint[0] if complaint else error}",
                ) from None
        if answer != [_READY]:
            self._end()
            raise AssignorError(
                "ProcessExit", f"the JVM wrote {answer[0][:80]!r}, expected {_READY!r}"
            )

    def _exchange(self, data: bytes, count: int, time_limit: float) -> list[bytes]:
        process = self._process
        assert process
        try:
            return _exchange(process, data, count, time_limit)
        except TimeoutError:
            self._end()
            raise AssignorError("TimeoutException", f"no answer in {time_limit:g} s") from None
        except EOFError:
            code = process.wait()
            self._end()
            if code == _OUT_OF_MEMORY_EXIT:
                raise AssignorError(
                    "OutOfMemoryError", f"needs more memory than its limit of {self._memory}"
                ) from None
            if code < 0:
                raise KilledError(-code) from None
            raise AssignorError("ProcessExit", f"the JVM ended with exit code {code}") from None

    def _end(self):
        self._stop()
        self._process = None


def _kill(process: subprocess.Popen):
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _release(process: subprocess.Popen):
    _kill(process)
    for pipe in _pipes(process):
        pipe.close()


def _pipes(process: subprocess.Popen) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin
    assert process.stdout
    return process.stdin, process.stdout


def _exchange(process: subprocess.Popen, data: bytes, count: int, time_limit: float) -> list[bytes]:
    """Write the questions and read the answers at the same time, so that no pipe fills up."""
    deadline, left, parts = monotonic() + time_limit, memoryview(data), []
    stdin, stdout = _pipes(process)
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        if left:
            selector.register(stdin, selectors.EVENT_WRITE)
        while count > 0:
            ready = selector.select(max(deadline - monotonic(), 0))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                if key.fileobj is stdin:
                    left = left[_written(stdin, left) :]
                    if not left:
                        selector.unregister(stdin)
                else:
                    parts.append(_read(stdout))
                    count -= parts[-1].count(b"\n")
    return b"".join(parts).split(b"\n")[:-1]


def _written(stdin: IO[bytes], data: memoryview) -> int:
    try:
        return os.write(stdin.fileno(), data)
    except BlockingIOError:
        return 0
    except BrokenPipeError:
        raise EOFError from None


def _read(stdout: IO[bytes]) -> bytes:
    part = os.read(stdout.fileno(), 1 << 20)
    if not part:
        raise EOFError
    return part
