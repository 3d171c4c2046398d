"""Access to object storage or a folder with obstore and pyarrow, and the reason in words if access
is refused.

obstore and pyarrow are imported only when needed, so commands without a lake start faster.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from evenkeel.data.errors import PlaceError

if TYPE_CHECKING:
    import pyarrow.fs as fs
    from obstore.store import ObjectStore

Settings = tuple[tuple[str, str], ...]
"""obstore's configuration of a service."""

_CLIENT = {"allow_http": True, "connect_timeout": "5s", "timeout": "60s"}
_RETRIES = {"max_retries": 4, "retry_timeout": timedelta(seconds=30)}


def obstore() -> ModuleType:
    """Import and return the module `obstore`."""
    import obstore

    return obstore


@lru_cache(maxsize=100)
def store_of(url: str, settings: Settings) -> "ObjectStore":
    """Return obstore's store for a URL or path. Each process creates it once."""
    from obstore.store import LocalStore, from_url

    if url.startswith("/"):
        # Cleanup, because thousands of deleted slots would leave thousands of empty folders.
        return LocalStore(prefix=url, automatic_cleanup=True)
    return from_url(url, config=dict(settings), client_options=_CLIENT, retry_config=_RETRIES)


def filesystem_of(url: str, settings: Settings) -> "fs.FileSystem":
    """Return pyarrow's file system for keys relative to the URL or path."""
    import pyarrow.fs as fs

    if url.startswith("/"):
        return fs.SubTreeFileSystem(url, fs.LocalFileSystem())
    from evenkeel.data.lake.object_file import ObjectFiles

    return fs.PyFileSystem(ObjectFiles(store_of(url, settings)))


# The refusal of a folder or a service as one line, and whether a retry may help.


_ANSWERED = re.compile(r"status code: (\d{3} [A-Za-z ]+)")
_CODE, _MESSAGE = re.compile(r"<Code>([^<]*)</Code>"), re.compile(r"<Message>([^<]*)</Message>")
_ASKED = re.compile(r"Error performing [A-Z]+ (https?://)(?:[^/\s@]*@)?([^/\s]+)")
_SYSTEM = re.compile(r"([A-Z][a-z][^:(\"]*) \(os error \d+\)")
_LASTING = re.compile(
    r"the service answers (40[13] |.*NoSuchBucket)|Permission denied|Operation not"
    r" permitted|Read-only file system"
)
_BROKE_OFF = re.compile(
    r"HTTP error: request or response body error|error reading a body from connection"
)
_LONGEST = 300
_NO_ANSWER, _CUT = "no answer from", "the answer of the service was incomplete"


def in_words(error: BaseException) -> str:
    """Return the cause of an error in words, for example the error message of the service, or that
    the service did not answer.
    """
    text = str(error)
    answered, question, system = _ANSWERED.search(text), _ASKED.search(text), _SYSTEM.search(text)
    if answered:
        words = [match[1] for match in (_CODE.search(text), _MESSAGE.search(text)) if match]
        return ": ".join(["the service answers " + answered[1].strip(), *words])[:_LONGEST]
    if question:
        return f"{_NO_ANSWER} {question[1]}{question[2]}"
    if _BROKE_OFF.search(text):
        return _CUT
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return system[1] if system else text.splitlines()[0][:_LONGEST]


def will_last(cause: str) -> bool:
    """Return whether each retry will fail too, because the bucket is missing or access is
    denied.
    """
    return _LASTING.match(cause) is not None


def may_pass(cause: str) -> bool:
    """Return whether a service failed but may answer the next request."""
    return cause.startswith((_NO_ANSWER, _CUT, "the service answers 5"))


def may_be_done_late(cause: str) -> bool:
    """Return whether a service may still execute a request that it has not answered."""
    return cause.startswith(_NO_ANSWER)


@contextmanager
def named_as(text: str) -> Iterator[None]:
    """If a service does not answer in the `with` block, raise an error with `text` in place of an
    object's name.

    If the service refuses, the error still names the object.
    """
    try:
        yield
    except PlaceError as error:
        raise PlaceError(
            text if may_be_done_late(error.cause) else error.where, error.cause
        ) from None
