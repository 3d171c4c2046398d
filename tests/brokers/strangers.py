"""Listeners that are no brokers."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stranger(answer: bytes) -> Iterator[str]:
    """Listen on a free port and give every client these bytes and no more; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        clients: list[socket.socket] = []
        threading.Thread(target=_accept, args=(listener, answer, clients), daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        for client in clients:
            client.close()


def _accept(listener: socket.socket, answer: bytes, clients: list[socket.socket]) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        clients.append(client)
        client.sendall(answer)
