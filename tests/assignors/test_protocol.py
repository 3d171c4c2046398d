import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import serving

SOME = {
    name: ASSIGNORS[name] for name in ("range", "lag", "cooperative-sticky", "uniform", "simple")
}


@pytest.mark.parametrize("group_type", [None, "classic", "consumer", "streams"])
def test_a_group_of_owners_is_served_by_the_client_s_and_the_broker_s_assignors(group_type):
    assert serving(group_type, SOME) == ["range", "lag", "cooperative-sticky", "uniform"]


def test_a_share_group_is_served_by_its_own_assignors_alone():
    assert serving("share", SOME) == ["simple"]


def test_only_groups_on_the_consumer_protocol_see_the_assignor_of_a_broker_s_jar():
    some = {name: ASSIGNORS[name] for name in ("range", "uniform", "evenkeel-weighted")}

    assert {
        kind: "evenkeel-weighted" in serving(kind, some)
        for kind in (None, "classic", "consumer", "share", "streams")
    } == {
        None: False,
        "classic": False,
        "consumer": True,
        "share": False,
        "streams": False,
    }
