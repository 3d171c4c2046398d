"""Ports that a server takes a moment later."""

from tests.services.ports import free_ports

_FIRST_OF_CONNECTIONS = 32_768
"""Linux gives outgoing connections this port and those above, unless told otherwise."""


def test_a_free_port_is_none_that_linux_gives_to_a_connection_meanwhile():
    ports = free_ports(20)

    assert len(set(ports)) == 20
    assert max(ports) < _FIRST_OF_CONNECTIONS
