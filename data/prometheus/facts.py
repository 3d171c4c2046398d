"""How slots of a metrics store were read, for people: as they are read, or from a copy in the
lake.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.data.group.tables.series import WITHOUT_OWNERS
from evenkeel.data.lake.history.history import History
from evenkeel.data.prometheus.exporter import COMMIT
from evenkeel.data.prometheus.exporters import EXPORTERS


class PastFacts(NamedTuple):
    """How a past was read: the exporter, seconds between scrapes (NaN if unknown), offsets that are
    made of others, samples that are no offset, and the owners of partitions as the exporter last
    named them.
    """

    exporter: str
    interval: float
    derived: tuple[str, ...]
    rejected: int
    owners: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """`from Prometheus (kafka_exporter), scraped every 60 s`."""
        pace = "" if np.isnan(self.interval) else f", scraped every {round(self.interval):,} s"
        return f"from Prometheus ({self.exporter}){pace}"


def facts_of_copy(history: History) -> PastFacts | None:
    """Return how slots of a history were read that were copied into the lake; None if there is no
    such slot.
    """
    has_owners = history.series.has_owners
    names = {
        name.removeprefix(WITHOUT_OWNERS)
        for one in history.manifest
        for name in one.formats
        if name.startswith(WITHOUT_OWNERS)
    }
    if has_owners is None or not names:
        return None
    steps = np.diff(history.series.time[~has_owners])
    without_commits = {one.name for one in EXPORTERS if one.commit is None}
    return PastFacts(
        " and ".join(sorted(names)),
        float(np.median(steps)) if steps.size else np.nan,
        (COMMIT,) if names & without_commits else (),
        0,
    )
