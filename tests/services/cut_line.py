"""A line to a service that is cut when its client sends a word: real sockets, real bytes."""

import socket
from contextlib import suppress
from threading import Thread


class CutLine:
    """Passes bytes on between its own port and another; a context manager.

    `cut_at`: the word, None for never; each cut is the last. `is_passed_on`: the service still gets
    what has the word, and its answer is lost.
    """

    def __init__(self, port: int):
        self._port = port
        self.cut_at: bytes | None = None
        self.is_passed_on = False

    def __enter__(self) -> "CutLine":
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        # Closed alone, a socket that a thread waits at goes on listening.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                service = socket.create_connection(("127.0.0.1", self._port))
                Thread(target=self._pass_on, args=(client, service), daemon=True).start()
                Thread(target=_copy, args=(service, client), daemon=True).start()

    def _pass_on(self, client: socket.socket, service: socket.socket) -> None:
        with client, service, suppress(OSError):
            while data := client.recv(1 << 16):
                is_cut = self.cut_at is not None and self.cut_at in data
                if is_cut:
                    self.cut_at = None
                    # The answer must not come before the end of the line.
                    client.shutdown(socket.SHUT_RDWR)
                if not is_cut or self.is_passed_on:
                    service.sendall(data)
                if is_cut:
                    break
            service.shutdown(socket.SHUT_WR)


def _copy(service: socket.socket, client: socket.socket) -> None:
    with suppress(OSError):
        while data := service.recv(1 << 16):
            client.sendall(data)
        client.shutdown(socket.SHUT_RDWR)
