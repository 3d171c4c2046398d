"""Whether tasks may change places for their racks' sake, decided once for a rebalance."""

import numpy as np

from evenkeel.assignors.assignment import Assumed
from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.settings import StreamsSettings


def is_rack_aware(settings: StreamsSettings, application: ApplicationSnapshot) -> bool:
    """Return whether the setting asks for it, every process has a rack, and every partition that counts has racks."""
    if settings.rack_aware_assignment_strategy == "none" or (application.process_rack == NO_RACK).any():
        return False
    has_copies = settings.num_standby_replicas > 0
    return bool(application.source.has_racks.all() and (not has_copies or application.changelog.has_racks[application.is_stateful].all()))


def are_racks_known(application: ApplicationSnapshot) -> bool:
    """Return whether every process has a rack and every partition a replica with one: the public interface passes over those without."""
    if (application.process_rack == NO_RACK).any():
        return False
    return bool(application.source.has_some_racks.all() and application.changelog.has_some_racks[application.is_stateful].all())


def assumed_racks(settings: StreamsSettings, application: ApplicationSnapshot) -> tuple[Assumed, ...]:
    """Return the unknown racks without which tasks stay where they are."""
    if settings.rack_aware_assignment_strategy == "none":
        return ()
    unknown = {
        "rack": application.process_rack == NO_RACK,
        "source_racks": ~application.source.is_known,
        "changelog_racks": ~application.changelog.is_known & application.is_stateful & (settings.num_standby_replicas > 0),
    }
    return tuple(Assumed(column, np.flatnonzero(rows)) for column, rows in unknown.items() if rows.any())
