"""The example cluster: generated groups over one day, included in the package for readers without a
cluster.
"""

from evenkeel.dashboard.shell.reader import reader
from evenkeel.data.configuration import configuration
from evenkeel.data.lake.example import NAME, PLACE
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_in, time_of


def is_example(cluster: str | None) -> bool:
    """Return whether this is the example cluster. A configured cluster with the same name is not
    the example.
    """
    return cluster == NAME and NAME not in configuration().clusters


def is_its_slot(batch: str) -> bool:
    """Return whether a batch is a slot of the example cluster."""
    return slug_in(batch) == NAME and time_of(batch) is not None and is_example(NAME)


def is_there() -> bool:
    """Return whether the reader may see the example cluster."""
    return is_example(NAME) and reader().sees_some(NAME)


def lake_of(cluster: str | None) -> Place:
    """Return the lake that contains the slots of a cluster."""
    return PLACE if is_example(cluster) else configuration().lake
