"""The manifests of a lake, each decoded once: pages ask for all batches at every click, and a collector makes thousands."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from data.errors import SnapshotError
from data.lake import manifest
from data.lake.manifest import FOLDER, Manifest
from data.lake.place import Found, Place
from data.lake.slots.day import slots_of

_AT_ONCE = 16
_DECODED: dict[Place, dict[Found, tuple[Manifest, ...] | str]] = {}


def listed(lake: Place) -> list[tuple[Manifest, ...] | str]:
    """Return the batches of every manifest: one, the slots of a day, or none of a run that was killed.

    A manifest that cannot be read is a line that says why.
    """
    known = _DECODED.get(lake, {})
    while True:
        found = [one for one in lake.found(FOLDER) if one.key.endswith(".json")]
        new = [one for one in found if one not in known]
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            read = dict(zip(new, threads.map(partial(_read, lake), (one.key for one in new)), strict=True))
        known = known | {one: batches for one, batches in read.items() if batches is not None}
        # A slot that has vanished meanwhile is now in the batch of its day, which this look could not see.
        if all(one in known for one in found):
            _DECODED[lake] = {one: known[one] for one in found}
            return list(_DECODED[lake].values())


def _read(lake: Place, key: str) -> tuple[Manifest, ...] | str | None:
    try:
        one = manifest.decoded(lake, key, lake.read(key))
    except FileNotFoundError:
        return None
    except SnapshotError as error:
        return str(error)
    return () if one.is_abandoned else slots_of(one)
