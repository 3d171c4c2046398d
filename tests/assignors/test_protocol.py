import pytest

from assignors import ASSIGNORS
from assignors.protocol import serving


@pytest.mark.parametrize("group_type", [None, "classic", "consumer", "streams"])
def test_a_group_of_owners_is_served_by_the_client_s_and_the_broker_s_assignors(group_type):
    assert serving(group_type, ASSIGNORS) == ["range", "roundrobin", "sticky", "cooperative-sticky", "lag", "uniform", "broker-range"]


def test_a_share_group_is_served_by_its_own_assignors_alone():
    assert serving("share", ASSIGNORS) == ["simple"]
