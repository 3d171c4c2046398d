"""What Linux's /proc shows of a process and of all that it has started: sockets that wait for a
caller, environments, command lines.
"""

import os
import socket
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

_LISTEN = "0A"
_FAMILIES = {"tcp": socket.AF_INET, "tcp6": socket.AF_INET6}


class Listener(NamedTuple):
    """One waiting socket."""

    command: str
    address: str
    port: int

    @property
    def is_on_loopback(self) -> bool:
        return self.address.removeprefix("::ffff:").startswith("127.") or self.address == "::1"


def listeners(pid: int) -> list[Listener]:
    """Return the listeners of a process and its descendants, each once: a process that was just
    forked holds those of its parent.
    """
    waiting = _waiting()
    found = []
    for process in _tree(pid):
        with suppress(OSError):
            command = Path(f"/proc/{process}/comm").read_text().strip()
            found += [
                Listener(command, *waiting.pop(inode))
                for inode in _sockets(process)
                if inode in waiting
            ]
    return found


@contextmanager
def watched(pid: int, seen: dict[str, bytes]) -> Iterator[None]:
    """Meanwhile collect command line and environment of each process that this one has started, and
    that it has started in turn.
    """
    is_over = threading.Event()
    watching = threading.Thread(target=_watch, args=(pid, seen, is_over))
    watching.start()
    try:
        yield
    finally:
        is_over.set()
        watching.join()


def begun_by(pid: int) -> list[int]:
    """Return the processes that a process has started, and that these have started in turn."""
    return _tree(pid)[1:]


def _watch(pid: int, seen: dict[str, bytes], is_over: threading.Event) -> None:
    while not is_over.wait(0.1):
        seen.update(_shown(pid))


def _shown(pid: int) -> dict[str, bytes]:
    found, own = {}, Path(f"/proc/{pid}/cmdline").read_bytes()
    for process in _tree(pid)[1:]:
        # A process may end meanwhile, or be about to become another program.
        with suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            # Forked and not yet another program: it has what its parent was started with.
            if command == own:
                continue
            found[f"{process} {command[-60:]!r}"] = (
                command + b"\n" + Path(f"/proc/{process}/environ").read_bytes()
            )
    return found


def _waiting() -> dict[str, tuple[str, int]]:
    """Return address and port of all listeners of the machine by inode."""
    found = {}
    for name, family in _FAMILIES.items():
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            columns = line.split()
            if columns[3] == _LISTEN:
                address, port = columns[1].split(":")
                found[columns[9]] = (_address(family, address), int(port, 16))
    return found


def _address(family: int, digits: str) -> str:
    """Linux prints an address as 32-bit words in the machine's own byte order."""
    words = [bytes.fromhex(digits[start : start + 8])[::-1] for start in range(0, len(digits), 8)]
    return socket.inet_ntop(family, b"".join(words))


def _tree(pid: int) -> list[int]:
    children = defaultdict(list)
    for process in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
            children[int(parent)].append(int(process))
    found = [pid]
    for process in found:
        found += children[process]
    return found


def _sockets(pid: int) -> Iterator[str]:
    with suppress(OSError):
        for descriptor in os.scandir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                target = os.readlink(descriptor.path)
                if target.startswith("socket:["):
                    yield target[len("socket:[") : -1]
