"""The clusters that the configuration names or allows."""

from evenkeel.data.configuration.file import configuration
from evenkeel.data.configuration.free_form import free_form_profile
from evenkeel.data.configuration.profile import Profile, profiles
from evenkeel.data.errors import SnapshotError

_HOW = '[clusters.NAME] with "bootstrap.servers" in evenkeel.toml, or in the file that EVENKEEL_CONFIG names'


def profile_of(name: str) -> Profile:
    """Return one cluster by name, or by its address where the configuration allows that.

    Raises
    ------
    SnapshotError
        When the configuration has none of this name, or a setting that is wrong.
    """
    chosen = configuration()
    known = profiles(chosen.clusters)
    by_address = free_form_profile(name) if chosen.free_form and name not in known else None
    if by_address:
        return by_address
    if name not in known:
        there = f"expected one of: {', '.join(known)}" if known else f"the configuration names none; expected {_HOW}"
        raise SnapshotError(f'no cluster "{name}": {there}')
    return known[name]
