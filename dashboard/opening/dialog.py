"""Open: a dialog on every page with the box, the clusters, earlier uploads and examples."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.opening import box, intake
from evenkeel.dashboard.rebalances import logs
from evenkeel.dashboard.scope import choose_cluster, scope
from evenkeel.dashboard.shell import address, by_link, importing, opened
from evenkeel.dashboard.shell.loading import example
from evenkeel.dashboard.shell.loading.clusters import cluster_names
from evenkeel.dashboard.shell.navigation import HOME, READINESS, REBALANCES, SHARED, STREAMS
from evenkeel.data.lake.example import NAME
from evenkeel.data.sources.examples.worked_examples import (
    STREAMS_EXAMPLES,
    WORKED_EXAMPLES,
    StreamsExample,
    WorkedExample,
    example_log,
    streams_example,
    worked_example,
)

_SYMPTOMS = {
    "ten-consumers-kafka-0.10": "All members are behind",
    "one-hot-partition": "One hot partition",
    "idle-under-range": "Idle members",
    "orders-enrich": "A Streams restart",
}
"""Examples at the top, by their problem."""

_CLUSTER = "A day of 32 groups: one group for each cause that a history shows; the others are fine."
_READY = "idle-under-range"
_PLACE = "-open"
_MOST_NAME = 60


def show_button(has_box: bool) -> None:
    """Draw the button.

    `has_box`: whether the dialog has the box, because the page has none. The key O then opens the
    dialog.
    """
    shortcut = "o" if has_box else None
    if st.button("Open", icon=":material/folder_open:", key="open", shortcut=shortcut):
        show(has_box)


@st.dialog("Open", width="large")
def show(has_box: bool = True) -> None:
    """Draw the dialog."""
    if not has_box:
        _show_lists_alone()
        return
    left, right = st.columns([62, 38], gap="medium")
    with left:
        box.show(partial(st.rerun, scope="fragment"), _PLACE)
        intake.show_reach()
    with right, st.container(gap="xsmall", key="open-lists"):
        _show_clusters()
        box.show_stored(_PLACE)
        _show_examples()
        others = _others()
        with st.expander(f"{len(others)} more examples", key="more-examples"):
            _show_some(others)
        _show_shared()


def _show_lists_alone() -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap="xsmall", key="open-lists"):
        _show_clusters()
        _show_examples()
        _show_shared()
    with right, st.container(gap="xsmall", key="open-others"):
        st.html('<span class="note">More examples</span>')
        _show_some(_others())


def _show_shared() -> None:
    st.page_link(SHARED.script, label="Shared", icon=":material/inventory_2:")


def _show_clusters() -> None:
    names = cluster_names()
    if names:
        st.html('<span class="note">Clusters</span>')
    for name in names:
        if _link(literal(name[:_MOST_NAME]), f"cluster-{name}"):
            importing.forget()
            address.lead_to(cluster=name)
            st.switch_page(HOME.script, query_params={"cluster": name})


def _show_examples() -> None:
    st.html('<span class="note">Examples</span>')
    if example.is_there() and _link("A cluster, generated", "example-cluster", _CLUSTER):
        choose_cluster.open_example()
        st.switch_page(HOME.script, query_params={"cluster": NAME})
    for slug, title in _SYMPTOMS.items():
        _show_example(slug, title, "")
    if _link("Rebalances, from a log", "log") and logs.read([example_log()]):
        address.lead_to(log=st.session_state[logs.LOG])
        st.switch_page(REBALANCES.script)
    if _link("Ready for KIP-848?", "readiness"):
        opened.open_example(_READY)
        address.lead_to(sample=_READY)
        st.switch_page(READINESS.script, query_params={"sample": _READY})


def _others() -> list[WorkedExample | StreamsExample]:
    return [each for each in (*WORKED_EXAMPLES, *STREAMS_EXAMPLES) if each.slug not in _SYMPTOMS]


def _show_some(examples: Sequence[WorkedExample | StreamsExample]) -> None:
    for each in examples:
        variant = getattr(each, "variant", "")
        _show_example(each.slug, ", ".join(filter(None, (each.title, variant))), each.sentence)


def _show_example(slug: str, title: str, sentence: str) -> None:
    if _link(title, slug, sentence):
        opened.open_example(slug)
        worked = worked_example(slug)
        if worked:
            scope.choose_for(opened.current(), worked.assignor)
        st.switch_page(
            STREAMS.script if streams_example(slug) else by_link.first_page(),
            query_params={"sample": slug},
        )


def _link(label: str, name: str, sentence: str = "") -> bool:
    return st.button(
        label,
        key=f"open-{name}",
        help=sentence or None,
        type="tertiary",
        icon=":material/chevron_right:",
    )
