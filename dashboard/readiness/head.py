"""Top of Readiness: the cluster and its brokers, fields for releases of clients, six numbers, the
first sentence, releases of Kafka, and filters.
"""

from collections.abc import Sequence
from html import escape
from typing import Literal

import streamlit as st

from evenkeel.assignors.clients import CLIENTS
from evenkeel.assignors.readiness.facts import Broker, Verdict
from evenkeel.dashboard.groups.verdicts import last_batch
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import kpi_strip, reader_zone
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.parts.table_files import csv_file
from evenkeel.dashboard.readiness.loading import (
    CONSUMER,
    COOPERATIVE,
    READ_SECONDS,
    ReaderFacts,
    Readiness,
    Total,
    opened_readiness,
    readiness,
    total,
)
from evenkeel.dashboard.readiness.words import Counts, kinds, release_of, releases, sentence
from evenkeel.dashboard.scope import choices, choose_cluster, open_group
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shell import address, age, opened
from evenkeel.dashboard.shell.account import at_click
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading.example import is_example
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.frames import table_of
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.columns import COLUMNS
from evenkeel.data.readiness.environment import broker_of, require_versions
from evenkeel.data.scenarios.client_words import named
from evenkeel.data.text.formats import UNKNOWN, compact, count, exact

_VERSIONS, _POLICY, _SIZE = "readiness-client-{}", "readiness-policy", "readiness-size"
_SEARCH = "readiness-search"
_POLICIES = ["bidirectional", "upgrade", "downgrade", "disabled"]
_POLICY_COLOURS: dict[bool | None, Literal["orange", "green", "red"]] = {
    None: "orange",
    True: "green",
    False: "red",
}
_POLICY_HELP = "group.consumer.migration.policy of the brokers"
_ALL = "all"
_LOOK_SECONDS = 2.0
_SHOWN = {_ALL: "All", "blocked": "Blocked", "note": "Note", "ready": "Ready", "unknown": "Unknown"}
_VERDICT = Options("readiness-verdict", _SHOWN, _ALL, "verdict", "verdict")
_PLAN = Options("readiness-plan", [CONSUMER, COOPERATIVE], CONSUMER, "plan", "plan")


_PURPOSE = (
    "Readiness shows which groups can move to the consumer protocol (KIP-848), what moves with"
    " them, and in which order."
)
_NO_BROKERS = (
    "A listing does not contain brokers' settings. These commands print them; groups"
    " without members need only these:"
)


def has_source() -> bool:
    """Return whether there is a cluster or an upload whose groups can be judged."""
    return bool(opened.current()) or choose_cluster.has_choice()


def show_without() -> None:
    """Draw how to use the page: open a group, or choose a cluster."""
    open_group.show(_PURPOSE)
    with st.expander("For all groups of a cluster", icon=":material/dns:"):
        st.markdown(choose_cluster.HOW)


def read(cluster: str | None, known: ReaderFacts) -> Readiness:
    """Return the groups of a cluster, or of the upload if no cluster is chosen."""
    batch = last_batch(cluster) if cluster is not None and is_example(cluster) else None
    if batch is not None:
        # No broker reports its settings here, just as for an upload.
        return opened_readiness(imported(batch).groups.opened(0), known)
    return (
        opened_readiness(choices.group(), known) if cluster is None else readiness(cluster, known)
    )


def asked(cluster: str | None) -> str | None:
    """Return the cluster whose brokers are queried. None for the example and for an upload."""
    return None if is_example(cluster) else cluster


def known() -> ReaderFacts:
    """Return the reader's entries about clients and brokers."""
    versions = tuple(
        (name, text)
        for name in _asked_clients()
        if (text := (st.session_state.get(_VERSIONS.format(name)) or "").strip())
    )
    settings = {
        "group.consumer.migration.policy": st.session_state.get(_POLICY),
        "group.consumer.max.size": (st.session_state.get(_SIZE) or "").strip(),
    }
    return ReaderFacts(versions, tuple((key, value) for key, value in settings.items() if value))


def _asked_clients() -> list[str]:
    return [
        name
        for name, client in CLIENTS.items()
        if client.consumer_protocol and client.consumer_protocol.since
    ]


def show_facts(overall: Readiness) -> None:
    """Draw the known facts about the brokers, and the moment at which they were read."""
    release, broker = release_of(overall.features), overall.broker
    if overall.taken_at is None:
        st.badge(
            count(len(overall.groups), "opened group"),
            icon=":material/description:",
            color="gray",
            help="From the upload. No broker was queried.",
        )
        _show_policy(broker)
        return
    st.badge(
        "Live",
        icon=":material/sensors:",
        color="green",
        help="This page sends only describe and list calls to Kafka.",
    )
    text = f"{count(overall.broker_count, 'broker')}" + (f" · Kafka {release}" if release else "")
    st.badge(
        text,
        icon=":material/dns:",
        color="gray",
        help="Brokers that coordinate groups; their release is from the feature metadata.version.",
    )
    level = overall.features.get("group.version", 0)
    is_on = broker.is_on is not False and level > 0
    st.badge(
        f"group.version {level}",
        icon=":material/check:" if is_on else ":material/block:",
        color="green" if is_on else "red",
    )
    _show_policy(broker)
    age.show(overall.taken_at, READ_SECONDS)
    reader_zone.show()


def _show_policy(broker: Broker) -> None:
    policy = literal(broker.policy or "unknown")
    st.badge(
        f"policy {policy}",
        icon=":material/swap_horiz:",
        color=_POLICY_COLOURS[broker.converts],
        help=_POLICY_HELP,
    )


def show_known(overall: Readiness) -> None:
    """Draw the fields that the reader fills in: releases of clients, and broker settings that
    cannot be read.
    """
    with st.popover(
        "Clients",
        icon=":material/edit:",
        help="Releases of clients: brokers do not report them.",
    ):
        st.caption(
            "The oldest release in use of each client. If it is unknown, a group has the"
            " note “ask the version”."
        )
        for name in [
            name
            for name in _asked_clients()
            if any(name in group.families for group in overall.groups)
        ] or _asked_clients()[:1]:
            since = CLIENTS[name].consumer_protocol.since
            label = f"{named(name)}, needs {since}"
            st.text_input(
                label,
                key=_VERSIONS.format(name),
                placeholder=f"such as {since}",
                max_chars=20,
                persist_state="session",
            )
        if (
            not overall.broker.is_known
            or st.session_state.get(_POLICY)
            or st.session_state.get(_SIZE)
        ):
            lacks = (
                "The brokers' settings cannot be read: this user lacks DESCRIBE_CONFIGS on the"
                " cluster. These commands print them:"
            )
            st.caption(lacks if overall.taken_at else _NO_BROKERS)
            st.code(
                "kafka-features.sh --bootstrap-server … describe\nkafka-configs.sh"
                " --bootstrap-server … --describe --all --entity-type brokers --entity-name 1",
                language=None,
                wrap_lines=True,
            )
            st.selectbox(
                "group.consumer.migration.policy",
                _POLICIES,
                index=None,
                key=_POLICY,
                persist_state="session",
            )
            st.text_input(
                "group.consumer.max.size",
                key=_SIZE,
                placeholder="2147483647",
                max_chars=12,
                persist_state="session",
            )


def show_take(cluster: str | None, groups: Sequence[Ready]) -> None:
    """Draw the download of all groups, and the menu Share."""
    st.download_button(
        "CSV",
        at_click(lambda: csv_file(table_of(COLUMNS, groups))),
        "readiness.csv",
        "text/csv",
        key="readiness-csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    group = opened.current()
    if cluster:
        menu.show_link(then=" and reads the cluster again")
    else:
        menu.show_link(", as long as the upload is kept" * bool(group and group.batch))


def show_numbers(cluster: str | None, overall: Readiness, known: ReaderFacts) -> None:
    """Draw the strip and the sentence. For a listing, draw only the sentence.

    The moves of many groups are counted in the background. The strip is updated afterwards.
    """
    counts = Counts.of(overall.groups)
    if overall.taken_at is not None:
        is_counting = bool(total(cluster, overall, known).left)
        st.fragment(_numbers, run_every=_LOOK_SECONDS if is_counting else None)(
            cluster, overall, known, counts, is_counting
        )
    lead, rest = sentence(counts, overall.broker)
    st.html(f'<p class="verdict"><b>{escape(lead)}</b>{escape(rest)}</p>')


def _numbers(
    cluster: str | None, overall: Readiness, known: ReaderFacts, counts: Counts, is_counting: bool
) -> None:
    counted = total(cluster, overall, known)
    if is_counting and not counted.left:
        address.draw_again()
    kpi_strip.show(_kpis(overall, counts, counted), "readiness")


def _kpis(overall: Readiness, counts: Counts, counted: Total) -> list[Kpi]:
    by = counts.by_verdict
    notes, blocked, unknown = by[Verdict.NOTE], by[Verdict.BLOCKED], by[Verdict.UNKNOWN]
    parted = sum(
        any(reason.code == "co-partitioned" for reason in note.judged.reasons) for note in notes
    )
    others = [f"{exact(counted.left)} groups left"] * bool(counted.left)
    others += [f"{count(counted.untold, 'group')} unknown"] * bool(counted.untold)
    moved = ", ".join([f"of {exact(counted.partitions)} partitions", *others])
    return [
        Kpi("Ready", exact(len(by[Verdict.READY])), f"of {count(counts.classic, 'classic group')}"),
        Kpi(
            "With a note",
            exact(len(notes)),
            f"{exact(parted)} lose{'s' * (parted == 1)} pairs of partitions"
            if parted
            else kinds(notes),
        ),
        Kpi("Blocked", exact(len(blocked)), kinds(blocked), "bad" if blocked else ""),
        Kpi("Unknown", exact(len(unknown)), kinds(unknown)),
        Kpi(
            "Already consumer",
            exact(counts.number(Verdict.DONE)),
            f"of {count(len(overall.groups), 'group')}",
        ),
        Kpi(
            "Move once",
            f"{'≥ ' * bool(counted.left or counted.untold)}{compact(counted.moves)}"
            if counted.partitions or counted.left
            else UNKNOWN,
            moved if counted.partitions or counted.left else "no restart is predicted",
            tip="Partitions whose final owner differs from the current owner.",
        ),
    ]


def show_releases(overall: Readiness) -> None:
    """Draw the line of releases, with the brokers' release first. Draw nothing if no broker was
    queried.
    """
    if overall.taken_at is None:
        return
    shown = releases(release_of(overall.features), overall.groups)
    stops = "".join(
        f"<li><b>{escape(group.name)}</b>"
        f" {escape(group.text)}{', ' if group.alarm else ''}<em>{escape(group.alarm)}</em></li>"
        for group in shown
    )
    st.html(f'<ol class="releases" aria-label="Releases of Kafka">{stops}</ol>')


def show_filters(counts: Counts, eager_count: int) -> tuple[str, str]:
    """Draw search, verdicts and plans. Return the search text and the verdict, which is `all` for
    all verdicts.
    """
    _VERDICT.follow()
    numbers = {
        _ALL: counts.classic,
        **{verdict.value: counts.number(verdict) for verdict in Verdict},
    }
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="readiness-filters"
    ):
        search = st.text_input(
            "Search",
            key=_SEARCH,
            placeholder="Search group, client, assignor",
            label_visibility="collapsed",
            icon=":material/search:",
            width=250,
            max_chars=200,
        )
        texts = {name: f"{word} {exact(numbers[name])}" for name, word in _SHOWN.items()}
        verdict = _VERDICT.show("Verdict", texts)
        st.space("stretch")
        plans = {
            CONSUMER: "classic → consumer",
            COOPERATIVE: f"eager → cooperative {exact(eager_count)}",
        }
        _PLAN.show("Plan", plans)
    return search.strip().lower(), verdict


def plan() -> str:
    """Return the chosen plan: from the address, or else the reader's last choice."""
    return _PLAN.follow()


def check(text: ReaderFacts) -> str | None:
    """Return the error in a reader's entries. None if the entries are valid."""
    try:
        require_versions(dict(text.versions))
        broker_of(dict(text.settings))
    except SnapshotError as error:
        return str(error)
    return None


def show_foot(cluster: str | None, counts: Counts) -> None:
    """Draw an explanation of the list, and the command that returns the same list."""
    text = (
        f"{count(counts.classic, 'classic group')}, worst first: verdict, then members · a row"
        " opens its steps"
    )
    source = "FILE" if cluster is None else f"--cluster {cluster}"
    command = f"evenkeel readiness {source} --fail-if 'blocked > 0'"
    st.html(
        f'<p class="readiness-foot"><span>{escape(text)}</span><code>{escape(command)}</code></p>'
    )
