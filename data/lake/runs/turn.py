"""Turn: ingests publish one after the other, so that a file that two of them read at once is stored once.

An ingest takes the next number, `turns/<n>`, and says in it which files it has. It then waits for every ingest with a lower number and a
file in common, looks whether one of its files was stored meanwhile, and publishes if not.
The last turn is never deleted: numbers only grow.
"""

import time
from collections.abc import Callable, Collection
from contextlib import suppress

import msgspec

from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.runs import lease

_FOLDER = "turns"
_LOOK_SECONDS = 0.5


class _Turn(msgspec.Struct, frozen=True):
    batch: str
    files: frozenset[str]


def publish_once(lake: Place, one: Manifest, stored: Callable[[], Collection[str]]) -> bool:
    """Publish an ingest; False, and nothing is published, where a file of its tasks was stored by another since it looked.

    `stored` returns the SHA-256 of every file of the lake, now.

    Raises
    ------
    PlaceError
        When the lake cannot be read or written.
    """
    with manifest.publishing(lake, one.batch):
        return _is_published(lake, one, stored)


def _is_published(lake: Place, one: Manifest, stored: Callable[[], Collection[str]]) -> bool:
    files = frozenset(source.sha256 for source in one.sources if source.refused is None)
    number = _taken(lake, _Turn(one.batch, files))
    for earlier in _earlier(lake, number):
        if earlier.files & files:
            _await(lake, earlier.batch)
    if files & set(stored()):
        # No longer in anybody's way: the same run may still publish its other files under the same name.
        lake.write(_key(number), msgspec.json.encode(_Turn(one.batch, frozenset())), lasts=False)
        return False
    manifest.publish(lake, one)
    return True


def _taken(lake: Place, turn: _Turn) -> int:
    number = _next(lake)
    while not lake.create(_key(number), msgspec.json.encode(turn), lasts=False):
        number = max(number + 1, _next(lake))
    return number


def _next(lake: Place) -> int:
    return max(map(int, lake.names(_FOLDER)), default=-1) + 1


def _earlier(lake: Place, number: int) -> list[_Turn]:
    """Return the turns before this one that may not be over, and delete those that are."""
    open_turns = []
    for key in (_key(int(name)) for name in lake.names(_FOLDER) if int(name) < number):
        # Another ingest may have deleted it meanwhile, as over.
        with suppress(FileNotFoundError):
            turn = msgspec.json.decode(lake.read(key), type=_Turn)
            if turn.files and not manifest.exists(lake, turn.batch):
                open_turns.append(turn)
            else:
                lake.delete([key])
    return open_turns


def _await(lake: Place, batch: str) -> None:
    """Wait until a batch is published or its run is gone; a run that is gone can no longer publish it."""
    while not manifest.exists(lake, batch):
        if not lease.is_held(lake, batch):
            manifest.abandon(lake, batch, lease.now(lake))
            return
        time.sleep(_LOOK_SECONDS)


def _key(number: int) -> str:
    return f"{_FOLDER}/{number:012d}"
