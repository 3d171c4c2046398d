"""The choice of a cluster: a configured cluster, or an address that the reader types."""

from typing import Any

import streamlit as st

from evenkeel.dashboard.shell import address, importing
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import example
from evenkeel.dashboard.shell.loading.clusters import cluster_names, takes_addresses
from evenkeel.data.configuration.clusters import free_form_name
from evenkeel.data.lake.example import NAME

_CLUSTER, _EXAMPLE = "cluster", "example"
_OPENED, _BY_ADDRESS = "\nopened", "\naddress"
"""Choices other than configured clusters. No cluster can have one of these names."""

_LABELS = {_OPENED: "Opened", _BY_ADDRESS: "By address"}
HOW = """\
No cluster is configured. An administrator names clusters in `evenkeel.toml`, or in the \
file that `EVENKEEL_CONFIG` names. \
A secret is a reference to an environment variable or a file:

```text
[clusters.production]
"bootstrap.servers" = "broker-1:9093,broker-2:9093"
"security.protocol" = "SASL_SSL"
"sasl.mechanism" = "SCRAM-SHA-512"
"sasl.username" = "evenkeel"
"sasl.password" = {env = "EVENKEEL_PRODUCTION_PASSWORD"}
```

With `[live]` and `free_form = true` you can also type the address of a cluster without login. \
If you have no cluster, paste the output of `kafka-consumer-groups.sh --describe`."""


class _Cluster(Options):
    def write(self) -> None:
        # A typed address must not appear in a log of requests.
        address.show(cluster=None if self.value in _LABELS else self.value)


def show(has_opened: bool = False, asks_for_opened: bool = False) -> str | None:
    """Return the cluster that the reader chooses. If nothing can be chosen, explain why and stop.

    `has_opened`: "opened group" is also a choice; None is returned for it. `asks_for_opened`: this
    choice is preselected.
    """
    names = [*cluster_names(), *[NAME] * is_example_chosen()]
    options = [*names, *[_BY_ADDRESS] * takes_addresses(), *[_OPENED] * has_opened]
    if not options:
        st.info(HOW)
        st.stop()
    texts = {option: _LABELS.get(option, option) for option in options}
    choice = _Cluster(_CLUSTER, texts, options[0], "cluster", called=texts.__getitem__)
    choice.follow()
    if asks_for_opened:
        st.session_state[_CLUSTER] = _OPENED
    chosen = choice.show("Cluster")
    if chosen == _OPENED:
        return None
    return chosen if chosen in names else _typed()


def chosen() -> str | None:
    """Return the cluster from the address, else from the session; None if there is no such
    cluster.
    """
    if linked := address.take(_CLUSTER):
        st.session_state[_CLUSTER] = linked
    name = st.session_state.get(_CLUSTER)
    is_there = name in cluster_names() or (name == NAME and example.is_there())
    return name if is_there else None


# The example cluster. The example is a choice only while it is open.


def follow_example() -> None:
    """Open the example cluster if the address has `example=cluster`."""
    linked = address.take(_EXAMPLE)
    if linked == _CLUSTER and example.is_there():
        open_example()
    elif linked is not None:
        address.refuse(
            _EXAMPLE, f"The URL asks for the example “{linked[:40]}”, expected {_CLUSTER}."
        )
    address.show_refused(_EXAMPLE)


def is_example_chosen() -> bool:
    """Return whether the example cluster is open or the address asks for it."""
    names = st.session_state.get(_CLUSTER), st.query_params.get(_CLUSTER)
    return example.is_there() and (NAME in names or address.says(_EXAMPLE))


def open_example() -> None:
    """Choose the example cluster for later pages."""
    importing.forget()
    st.session_state[_CLUSTER] = NAME


def close_example() -> None:
    """Close the example cluster. Use as a widget callback."""
    st.session_state.pop(_CLUSTER, None)
    st.query_params.pop(_CLUSTER, None)


def has_choice() -> bool:
    """Return whether the reader can choose a cluster at all."""
    return bool(cluster_names()) or takes_addresses() or is_example_chosen()


def _typed() -> str:
    with st.container(horizontal=True, vertical_alignment="center"):
        hint = "bootstrap.servers: broker-1:9092,broker-2:9092"
        look: dict[str, Any] = {
            "placeholder": hint,
            "label_visibility": "collapsed",
            "width": 480,
            "max_chars": 2000,
        }
        servers = st.text_input("bootstrap.servers", key="cluster-address", **look)
        is_tls = st.toggle("TLS", key="cluster-tls")
    if not servers.strip():
        stored = "The addresses are stored only in groups that you open."
        st.info(f"Type the broker addresses of a cluster without login. {stored}")
        st.stop()
    return free_form_name(servers, is_tls)
