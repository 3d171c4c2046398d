"""The service of a URL, or the folder of a path, as obstore and pyarrow ask it. Commands that need no lake start without both."""

from datetime import timedelta
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow.fs as fs
    from obstore.store import ObjectStore

Settings = tuple[tuple[str, str], ...]
"""obstore's configuration of a service."""

_CLIENT = {"allow_http": True, "connect_timeout": "5s", "timeout": "60s"}
_RETRIES = {"max_retries": 4, "retry_timeout": timedelta(seconds=30)}


def obstore() -> ModuleType:
    """Return the library that asks the services."""
    import obstore

    return obstore


@lru_cache(maxsize=100)
def store_of(url: str, settings: Settings) -> "ObjectStore":
    """Return what obstore asks, one for each process."""
    from obstore.store import LocalStore, from_url

    if url.startswith("/"):
        # Thousands of slots would leave as many empty folders.
        return LocalStore(prefix=url, automatic_cleanup=True)
    return from_url(url, config=dict(settings), client_options=_CLIENT, retry_config=_RETRIES)


def filesystem_of(url: str, settings: Settings) -> "fs.FileSystem":
    """Return what pyarrow reads keys with, relative to the URL or path."""
    import pyarrow.fs as fs

    if url.startswith("/"):
        return fs.SubTreeFileSystem(url, fs.LocalFileSystem())
    from evenkeel.data.lake.objects.object_file import ObjectFiles

    return fs.PyFileSystem(ObjectFiles(store_of(url, settings)))
