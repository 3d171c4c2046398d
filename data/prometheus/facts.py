"""How slots from a metrics store were read: from the store itself or from copies in the lake."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from evenkeel.data.group.tables.series import WITHOUT_OWNERS
from evenkeel.data.lake.history.history import History
from evenkeel.data.prometheus.exporter import COMMIT
from evenkeel.data.prometheus.exporters import EXPORTERS


class PastFacts(NamedTuple):
    """How slots were read.

    `interval`: seconds between scrapes, NaN if unknown. `derived`: which offsets were computed.
    `rejected`: number of samples that are not offsets. `owners`: (partition, owner) pairs, as the
    exporter reported them last. `warnings`: messages of the store, such as about servers that did
    not answer.
    """

    exporter: str
    interval: float
    derived: tuple[str, ...]
    rejected: int
    owners: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The source in words: `from Prometheus (kafka_exporter), scraped every 60 s`."""
        pace = "" if np.isnan(self.interval) else f", scraped every {round(self.interval):,} s"
        return f"from Prometheus ({self.exporter}){pace}"

    @property
    def tip(self) -> str:
        """The source as a sentence: `words` with a capital letter and a full stop."""
        return f"F{self.words[1:]}."


class StoredLast(NamedTuple):
    """The batch that contains a store's newest slot, and how the slot was read."""

    batch: str
    facts: PastFacts


def exporters_of(formats: Iterable[str]) -> set[str]:
    """Return the exporters in `source_format` values; empty if no slot is from a store."""
    return {
        name.removeprefix(WITHOUT_OWNERS) for name in formats if name.startswith(WITHOUT_OWNERS)
    }


def source_words(formats: Iterable[str], facts: PastFacts | None) -> str:
    """Return the source in words as `PastFacts.words`; empty if the slots are not from a store.

    `facts`: how the slots were read, None if unknown.
    """
    names = exporters_of(formats)
    if not names:
        return ""
    return (facts or PastFacts(" and ".join(sorted(names)), np.nan, (), 0)).words


def facts_of_copy(history: History) -> PastFacts | None:
    """Return how a history's copied slots were read; None if no slot was copied."""
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
