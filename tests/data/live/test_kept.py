"""One connection for each cluster and process."""

import pytest

from evenkeel.data.configuration.profile import Profile
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.kept import drop, kept


def _profile(broker, **more):
    return Profile("kept", {"bootstrap.servers": broker.bootstrap(), **more})


def test_a_connection_is_opened_once_and_again_after_it_was_dropped(broker):
    first = kept(_profile(broker))
    assert kept(_profile(broker)) is first

    drop(first)

    second = kept(_profile(broker))
    assert second is not first
    assert second.ask(second.raw.listed) is not None
    drop(second)


def test_other_settings_open_another_connection_and_close_the_one_before(broker):
    before = kept(_profile(broker))

    after = kept(_profile(broker, **{"isolation.level": "read_committed"}))

    assert after.profile.reads_committed
    assert after.ask(after.raw.listed) is not None
    with pytest.raises(SnapshotError):
        before.ask(before.raw.listed)
    drop(before)
    assert kept(after.profile) is after
    drop(after)
