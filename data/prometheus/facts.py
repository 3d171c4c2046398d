"""How slots of a metrics store were read, for people: as they are read, or from a copy in the
lake.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from evenkeel.data.group.tables.series import WITHOUT_OWNERS
from evenkeel.data.lake.history.history import History
from evenkeel.data.prometheus.exporter import COMMIT
from evenkeel.data.prometheus.exporters import EXPORTERS


class PastFacts(NamedTuple):
    """How a past was read: the exporter, seconds between scrapes (NaN if unknown), derived offsets,
    samples that are no offset, the owners of partitions as the exporter last named them, and
    warnings of the store, such as of parts that did not answer.
    """

    exporter: str
    interval: float
    derived: tuple[str, ...]
    rejected: int
    owners: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """`from Prometheus (kafka_exporter), scraped every 60 s`."""
        pace = "" if np.isnan(self.interval) else f", scraped every {round(self.interval):,} s"
        return f"from Prometheus ({self.exporter}){pace}"

    @property
    def tip(self) -> str:
        """The same as a sentence."""
        return f"F{self.words[1:]}."


class StoredLast(NamedTuple):
    """The batch with the last slot of a store, and how it was read."""

    batch: str
    facts: PastFacts


def exporters_of(formats: Iterable[str]) -> set[str]:
    """Return the exporters that slots with these formats are from; none if no store had them."""
    return {
        name.removeprefix(WITHOUT_OWNERS) for name in formats if name.startswith(WITHOUT_OWNERS)
    }


def source_words(formats: Iterable[str], facts: PastFacts | None) -> str:
    """Return the store that a slot is from, as `PastFacts.words` has it; empty if none. `facts`: of
    the store's past, if it was read.
    """
    names = exporters_of(formats)
    if not names:
        return ""
    return (facts or PastFacts(" and ".join(sorted(names)), np.nan, (), 0)).words


def facts_of_copy(history: History) -> PastFacts | None:
    """Return how slots of a history were read that were copied into the lake; None if there is no
    such slot.
    """
    has_owners = history.series.has_owners
    names = exporters_of(name for each in history.manifest for name in each.formats)
    if has_owners is None or not names:
        return None
    steps = np.diff(history.series.time[~has_owners])
    without_commits = {exporter.name for exporter in EXPORTERS if exporter.commit is None}
    return PastFacts(
        " and ".join(sorted(names)),
        float(np.median(steps)) if steps.size else np.nan,
        (COMMIT,) if names & without_commits else (),
        0,
    )
