"""A process that has already imported modules. For each request it forks a child process, which
starts its work in milliseconds instead of half a second.

    reader = WarmHost("evenkeel.data.pipeline.ingest.batch", "prepare")
    running = OwnProcess(Limits(), stored_here, inputs, lake, begin=reader.begin)

The host process computes no answers and has no secrets. It ends with the process that started it,
or after a long time without requests. If the host or the process that started it ends, the forked
children end too.
"""

import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO

from evenkeel.data.own_process import Running, serve

_FILES = 4
"""Files passed with each request: the connection for the exit code, the request, the answer, and
the lifeline pipe.
"""

_STATUS_BYTES = 4
_IDLE_SECONDS = 900
"""After this time without requests the host ends: the next request waits half a second, but the
memory is free.
"""


class WarmHost:
    """Starts the host process, and starts it again if it has ended. Before the first fork, the host
    calls the function `function` of the module `module` once.
    """

    def __init__(self, module: str, function: str):
        self._command = [
            sys.executable,
            "-P",
            "-m",
            "evenkeel.data.warm_host",
            module,
            function,
        ]
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None

    def start(self, environment: Mapping[str, str] | None = None) -> None:
        """Start the host process if it is not running; do not wait for it."""
        with self._lock:
            self._require(environment)

    def begin(
        self,
        request: BinaryIO,
        answer: BinaryIO,
        watched: int,
        environment: Mapping[str, str] | None,
    ) -> Running:
        """Fork a process for one request."""
        ours, its = socket.socketpair()
        files = [its.fileno(), request.fileno(), answer.fileno(), watched]
        with its, self._lock:
            self._require(environment)
            try:
                socket.send_fds(self._control, [b"f"], files)
            except OSError:
                self._process = None
                self._require(environment)
                socket.send_fds(self._control, [b"f"], files)
        return _ChildProcess(ours)

    def _require(self, environment: Mapping[str, str] | None) -> None:
        if self._process and self._process.poll() is None:
            return
        if self._control:
            self._control.close()
        self._control, its = socket.socketpair()
        with its:
            command = [*self._command, str(its.fileno())]
            self._process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, pass_fds=(its.fileno(),)
            )


class _ChildProcess:
    """A forked process, with the methods that `OwnProcess` needs. While the connection is open, the
    process id is not given to another process.
    """

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                status = self._connection.recv(_STATUS_BYTES)
            except TimeoutError:
                raise subprocess.TimeoutExpired("a forked process", timeout) from None
            # No bytes: the host and the process, which both hold the other end, are gone.
            self.returncode = (
                int.from_bytes(status, "big", signed=True) if status else -signal.SIGKILL
            )
            self._connection.close()
        return self.returncode

    def kill(self) -> None:
        if self.returncode is None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)


class _Server:
    """The host process. It waits for requests, for the end of children, and for closed
    connections.
    """

    def __init__(self, control: socket.socket):
        self._control, self._is_open, self._is_leaving = control, True, False
        self._children: dict[socket.socket, int] = {}
        self._alive, self._held = os.pipe()
        self._ended, wakes = socket.socketpair()
        wakes.setblocking(False)
        self._wakes = wakes
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes.fileno())
        self._selector = selectors.DefaultSelector()
        for end, react in ((control, self._fork), (self._ended, self._tell)):
            self._selector.register(end, selectors.EVENT_READ, react)

    def run(self) -> None:
        """Serve until no request has arrived for `_IDLE_SECONDS`."""
        while self._is_open or self._children:
            ready = self._selector.select(None if self._children else _IDLE_SECONDS)
            if not ready:
                # New requests are refused, so their callers start another host. Earlier requests
                # are still served.
                self._is_leaving = True
                self._control.shutdown(socket.SHUT_RD)
            for key, _ in ready:
                key.data(key.fileobj)

    def _fork(self, control: socket.socket) -> None:
        request, files, *_ = socket.recv_fds(control, 1, _FILES)
        if not request:
            self._close(control)
            return
        connection = socket.socket(fileno=files[0])
        if child := os.fork():
            for file in files[1:]:
                os.close(file)
            self._children[connection] = child
            self._selector.register(connection, selectors.EVENT_READ, self._end)
            return
        try:
            self._become_child()
            serve(os.fdopen(files[1], "rb"), os.fdopen(files[2], "wb"), files[3], self._alive)
        except BaseException:
            traceback.print_exc()
        os._exit(1)

    def _close(self, control: socket.socket) -> None:
        if not self._is_leaving:
            # The parent is gone, so the children end too.
            os._exit(0)
        self._selector.unregister(control)
        self._is_open = False

    def _become_child(self) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # Close this copy of the write end, so that the pipe closes when the host ends.
        os.close(self._held)
        for end in (self._control, self._ended, self._wakes, self._selector, *self._children):
            end.close()

    def _tell(self, ended: socket.socket) -> None:
        """Send the exit code of each process that has ended. The process id stays reserved until
        the connection of the process is closed.
        """
        ended.recv(1024)
        for connection, child in self._children.items():
            if status := os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                self._send(
                    connection,
                    status.si_status if status.si_code == os.CLD_EXITED else -status.si_status,
                )

    def _end(self, connection: socket.socket) -> None:
        """Kill a process whose connection was closed, and release its process id. The process may
        have ended already.
        """
        child = self._children.pop(connection)
        self._selector.unregister(connection)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        self._send(connection, os.waitstatus_to_exitcode(status))
        connection.close()

    def _send(self, connection: socket.socket, code: int) -> None:
        with suppress(OSError):
            connection.send(code.to_bytes(_STATUS_BYTES, "big", signed=True))


def _main(module: str, function: str, control: Any) -> None:
    # Ignore Ctrl-C, because the parent process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    getattr(import_module(module), function)()
    # A garbage collection in a child would copy the memory that it shares with other children.
    gc.collect()
    gc.freeze()
    _Server(socket.socket(fileno=int(control))).run()


if __name__ == "__main__":
    _main(*sys.argv[1:])
