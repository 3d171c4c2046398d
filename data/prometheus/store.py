"""Reads names, series and raw samples from Prometheus or a compatible store, within limits.

Samples are read by an instant query with a range selector, which returns the stored samples with
the times of their scrapes. `query_range` is not used, because this query repeats the last value in
a gap for five minutes, and refuses long ranges.
"""

import os
import ssl
import threading
import time
import zlib
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import TimeoutError as LateError
from functools import partial
from typing import Any

import httpx2
import msgspec
import numpy as np

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data.configuration.conversion import hidden
from evenkeel.data.configuration.past import HistorySettings
from evenkeel.data.errors import SnapshotError, UnansweredError
from evenkeel.data.prometheus.slots import Samples
from evenkeel.data.threads import in_daemon_thread

MOST_BYTES = 64 * 2**20
"""Size limit of an answer, decompressed."""

MOST_HALVINGS = 4
_CHUNK_BYTES = 2**20
_TIMEOUT = "25s"
_QUIET_SECONDS, _WHOLE_SECONDS = 26.0, 28.0
_MOST_A_SECOND = 20

_LONGEST_QUERY = 2_000
_LONGEST_LABEL = 32_767
"""Kafka's limit for the length of a group id."""

_LARGEST = 2.0**53
_SHOWN = 20
_LONGEST_MESSAGE = 300
_MOST_WARNINGS = 3
_WHOLE = {"partial_response": "false", "deny_partial_response": "1"}
"""Parameters of Thanos and VictoriaMetrics: return an error instead of a partial answer."""

_TOO_MUCH = ("too many samples", "exceeded maximum", "query is too large", "too many points")


class TooMuchError(UnansweredError):
    """An answer is larger than Evenkeel or the store allows."""


class _Answer(msgspec.Struct):
    """The answer of `/api/v1`; other fields are ignored."""

    status: str = ""
    data: msgspec.Raw = msgspec.Raw(b"null")
    error: str | None = None
    warnings: list[str] | None = None
    is_partial: bool = msgspec.field(default=False, name="isPartial")


class _Series(msgspec.Struct):
    metric: dict[str, str] = {}
    values: msgspec.Raw = msgspec.Raw(b"[]")


class _Matrix(msgspec.Struct, rename="camel"):
    result_type: str = ""
    result: list[_Series] = []


class Store:
    """The metrics store of one cluster.

    `rejected`: how many of the samples read so far are not offsets. `warnings`: the first few
    warnings of the store.
    """

    def __init__(
        self,
        cluster: str,
        settings: HistorySettings,
        environment: Mapping[str, str] = os.environ,
        whole_seconds: float = _WHOLE_SECONDS,
    ):
        self.settings, self.rejected = settings, 0
        self.warnings: list[str] = []
        where = f"clusters.{cluster}.history"
        self._where, self._whole_seconds = where, whole_seconds
        headers = settings.resolved_headers(where, environment)
        self._secrets = list(headers.values())
        self._lock = threading.Lock()
        self._turns: deque[float] = deque(maxlen=_MOST_A_SECOND)
        self._client = httpx2.Client(
            headers={"Accept-Encoding": "gzip", "User-Agent": "evenkeel", **headers},
            verify=_tls(where, settings),
            timeout=httpx2.Timeout(min(_QUIET_SECONDS, whole_seconds), connect=5.0),
            trust_env=False,
        )

    def __str__(self) -> str:
        return self.settings.prometheus

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def names(self, label: str, selector: str, since: int, until: int) -> list[str]:
        """Return the values of a label in the selected series; times in ms since 1970."""
        data = self._asked(f"label/{label}/values", _between(selector, since, until))
        return sorted(self._decoded(data, list[str]))

    def series(self, selector: str, since: int, until: int) -> list[dict[str, str]]:
        """Return the labels of the selected series between two times, in ms since 1970."""
        data = self._asked("series", _between(selector, since, until))
        return self._decoded(data, list[dict[str, str]])

    def samples(self, selector: str, since: int, until: int, halvings: int = 0) -> list[Samples]:
        """Return the raw samples from `since` to `until`, ms since 1970, including these times.

        Raises
        ------
        TooMuchError
            If even a sixteenth of the range has too many samples.
        UnansweredError
            If the store does not answer, or answers with an error.
        """
        # One ms longer, because newer releases exclude the start of a range.
        query = {
            "query": f"{selector}[{until - since + 1}ms]",
            "time": f"{until / 1000:.3f}",
            "timeout": _TIMEOUT,
            "max_source_resolution": "0s",
        }
        try:
            return list(self._matrix(self._asked("query", query)))
        except TooMuchError as error:
            if halvings == MOST_HALVINGS or until - since < 2:
                raise TooMuchError(f"{error}; even a sixteenth of the range is too much") from None
        middle = (since + until) // 2
        parts = [
            self.samples(selector, *ends, halvings + 1)
            for ends in ((since, middle), (middle + 1, until))
        ]
        return [samples for part in parts for samples in part]

    def require_match(self, since: int, until: int) -> None:
        """Refuse a label of `match` if no series has its value.

        Raises
        ------
        SnapshotError
            If no series has the value; the message has the existing values.
        """
        for name, value in self.settings.match.items():
            values = self.names(name, '{__name__!=""}', since, until)
            if value not in values:
                there = ", ".join(map(repr, values[:_SHOWN])) or "none"
                more = f" and {len(values) - _SHOWN:,} more" * (len(values) > _SHOWN)
                raise SnapshotError(
                    f"{self}: no series has {name}={value!r} of [{self._where}] match; "
                    f"values of {name}: {there}{more}"
                )

    # One request.

    def _asked(self, path: str, query: Mapping[str, str]) -> msgspec.Raw:
        """Return `data` of the store's answer.

        The time limit is for the whole answer, not for each of its parts.
        """
        url = f"{self.settings.prometheus.rstrip('/')}/api/v1/{path}"
        query = {**query, **_WHOLE}
        self._wait_for_turn()
        response = in_daemon_thread(partial(self._response, url, query))
        try:
            status, body, redirect = response.result(self._whole_seconds)
        except LateError:
            self._client.close()
            raise UnansweredError(
                f"{url}: no complete answer within {self._whole_seconds:g} s"
            ) from None
        except httpx2.TimeoutException:
            raise UnansweredError(f"{url}: no answer in time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, RuntimeError) as error:
            raise UnansweredError(
                f"{url}: {self._shown(str(error) or type(error).__name__)}"
            ) from None
        return self._data(url, status, body, redirect, query)

    def _wait_for_turn(self) -> None:
        with self._lock:
            at = time.monotonic()
            if len(self._turns) == _MOST_A_SECOND:
                at = max(at, self._turns[0] + 1.0)
            self._turns.append(at)
        time.sleep(max(at - time.monotonic(), 0.0))

    def _response(self, url: str, query: Mapping[str, str]) -> tuple[int, bytes | bytearray, str]:
        """Return the status, the body, and the host of a redirect; if there is no redirect, ""."""
        is_long = sum(map(len, query.values())) > _LONGEST_QUERY
        request = self._client.build_request(
            "POST" if is_long else "GET",
            url,
            params=None if is_long else query,
            data=query if is_long else None,
        )
        response = self._client.send(request, stream=True)
        try:
            if response.next_request is not None:
                return response.status_code, b"", response.next_request.url.host
            return response.status_code, _body(url, response), ""
        finally:
            response.close()

    def _data(
        self,
        url: str,
        status: int,
        body: bytes | bytearray,
        redirect: str,
        query: Mapping[str, str],
    ) -> msgspec.Raw:
        if 300 <= status < 400:
            raise UnansweredError(
                f"{url}: it redirects to {redirect or 'another address'}, and redirects are "
                f"refused; set the final address in [{self._where}] prometheus"
            )
        if status in (401, 403):
            raise UnansweredError(
                f"{url}: it answers {status}: the headers of [{self._where}] have no right "
                "to query metrics"
            )
        try:
            answer = msgspec.json.decode(body, type=_Answer)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
            status_text = (
                "not found" if status == 404 else f"status {status}, and no JSON of Prometheus"
            )
            raise UnansweredError(f"{url}: no Prometheus answers there: {status_text}") from None
        if answer.is_partial:
            raise UnansweredError(f"{url}: its answer is partial: some of its servers are missing")
        if answer.status == "success" and status == 200:
            self._note(answer.warnings or [])
            return answer.data
        message = self._shown(answer.error or "") or f"status {status}"
        if any(words in message for words in _TOO_MUCH):
            raise TooMuchError(f"{url}: {message}")
        # Status 400 means a bug in this tool: the store cannot parse the query.
        query_text = query.get("query") or query.get("match[]", "")
        shown = f"; the query: {self._shown(query_text)}" if status == 400 else ""
        raise UnansweredError(f"{url}: it answers {status}: {message}{shown}")

    def _note(self, warnings: list[str]) -> None:
        with self._lock:
            new = map(self._shown, warnings[:_MOST_WARNINGS])
            self.warnings = list(dict.fromkeys([*self.warnings, *new]))[:_MOST_WARNINGS]

    def _shown(self, text: str) -> str:
        """Return a message of the store in one line, without secrets."""
        line = " ".join(hidden(text, self._secrets).split())
        return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}…"

    # Samples of an answer.

    def _matrix(self, data: msgspec.Raw) -> Iterator[Samples]:
        matrix = self._decoded(data, _Matrix)
        if matrix.result_type != "matrix":
            raise UnansweredError(
                f"{self}: it answers with {matrix.result_type[:40]!r}, expected a matrix of samples"
            )
        for series in matrix.result:
            self._require_labels(series.metric)
            rows = self._decoded(series.values, list[tuple[float, str]])
            samples = self._samples(series.metric, rows)
            if samples.time.size:
                yield samples

    def _samples(self, labels: dict[str, str], rows: list[tuple[float, str]]) -> Samples:
        try:
            value = np.fromiter((float(text) for _, text in rows), np.float64, len(rows))
        except ValueError:
            raise UnansweredError(f"{self}: a sample is no number") from None
        moment = np.rint(np.fromiter((at for at, _ in rows), np.float64, len(rows)) * 1000)
        is_offset = np.isfinite(value) & (np.abs(value) <= _LARGEST) & (value == np.trunc(value))
        is_offset &= (moment >= 0) & (moment <= _LARGEST)
        # A store with several replicas may return a sample twice, or samples out of order.
        times, place = np.unique(moment[is_offset].astype(np.int64), return_index=True)
        offsets = np.maximum(value[is_offset], UNKNOWN).astype(np.int64)[place]
        with self._lock:
            self.rejected += len(rows) - int(np.count_nonzero(is_offset))
        return Samples(labels, times, offsets)

    def _require_labels(self, labels: Mapping[str, str]) -> None:
        for text in (*labels, *labels.values()):
            if len(text) > _LONGEST_LABEL:
                raise UnansweredError(
                    f"{self}: a label has {len(text):,} characters, expected at most"
                    f" {_LONGEST_LABEL:,}"
                )

    def _decoded(self, data: msgspec.Raw, kind: Any) -> Any:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
            raise UnansweredError(
                f"{self}: an answer does not have Prometheus's format: {error}"
            ) from None


def _between(selector: str, since: int, until: int) -> dict[str, str]:
    return {"match[]": selector, "start": f"{since / 1000:.3f}", "end": f"{until / 1000:.3f}"}


def _body(url: str, response: httpx2.Response) -> bytes | bytearray:
    """Return the body of an answer, decompressed up to a limit.

    A small compressed body may be very large after decompression.
    """
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise UnansweredError(f"{url}: the answer is packed as {encoding[:20]!r}, expected gzip")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16) if encoding == "gzip" else None
    body = bytearray()
    for chunk in response.iter_raw():
        packed = chunk
        while packed:
            try:
                body += unpacker.decompress(packed, _CHUNK_BYTES) if unpacker else packed
            except zlib.error:
                raise UnansweredError(f"{url}: the answer claims to be gzip but is not") from None
            packed = unpacker.unconsumed_tail if unpacker else b""
            if len(body) > MOST_BYTES:
                # The raised error would hold the body in memory.
                body.clear()
                raise TooMuchError(f"{url}: the answer is larger than {MOST_BYTES // 2**20} MB")
    return body


def _tls(where: str, settings: HistorySettings) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=settings.ca)
        if settings.certificate:
            context.load_cert_chain(settings.certificate, settings.key)
    except (OSError, ssl.SSLError) as error:
        raise SnapshotError(
            f"{where}: ca, certificate or key cannot be read: {error.strerror or error}"
        ) from None
    return context
