"""The manifests of a lake, each decoded once: pages ask for all batches at every click, and a collector makes thousands."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import FOLDER, Manifest
from evenkeel.data.lake.objects.service_errors import may_pass
from evenkeel.data.lake.place import Found, Place
from evenkeel.data.lake.slots.day import slots_of

_AT_ONCE = 16
_DECODED: dict[Place, dict[Found, tuple[Manifest, ...] | SnapshotError]] = {}


def listed(lake: Place) -> list[tuple[Manifest, ...] | str]:
    """Return the batches of every manifest: one, the slots of a day, or none of a run that was killed.

    A manifest that cannot be read is a line that says why.

    Raises
    ------
    PlaceError
        Where the service fails now and may answer the next request: a batch that is only not known now must not be taken for none.
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
            # What a folder or a service refuses now it may give later.
            _DECODED[lake] = {one: known[one] for one in found if not isinstance(known[one], PlaceError)}
            return [str(known[one]) if isinstance(known[one], SnapshotError) else known[one] for one in found]


def _read(lake: Place, key: str) -> tuple[Manifest, ...] | SnapshotError | None:
    try:
        one = manifest.decoded(lake, key, lake.read(key))
    except FileNotFoundError:
        return None
    except SnapshotError as error:
        if isinstance(error, PlaceError) and may_pass(error.cause):
            raise
        return error
    return () if one.is_abandoned else slots_of(one)
