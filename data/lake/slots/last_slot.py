"""The last slot of a cluster that has a snapshot or a reason."""

from evenkeel.data.lake import manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import day_of, hour_of, slug_in, time_of


def last_slot(lake: Place, slug: str) -> int | None:
    """Return when it begins, in seconds since 1970; None where the cluster has no slot.

    A gap is named by its last slot: names alone tell.
    """
    batches = [name.removesuffix(".json") for name in lake.names(manifest.FOLDER)]
    ours = [batch for batch in batches if slug_in(batch) == slug]
    slots = [batch for batch in ours if time_of(batch)]
    for part_of in (hour_of, day_of):
        if holders := [batch for batch in ours if part_of(batch)]:
            try:
                slots += [one.batch for one in manifest.read(lake, max(holders)).slots]
            except FileNotFoundError:
                # An hour that is now in the batch of its day.
                return last_slot(lake, slug)
    times = [time for batch in slots if (time := time_of(batch))]
    return int(max(times).timestamp()) if times else None
