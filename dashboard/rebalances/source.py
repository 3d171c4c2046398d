"""The selection on the page Rebalances: a log, a group, the log's time zone, and the hours.

Without a log, the page shows how to get one.
"""

from functools import partial
from html import escape
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.names import in_badge, literal, visible
from evenkeel.dashboard.parts import reader_zone
from evenkeel.dashboard.rebalances import logs
from evenkeel.dashboard.rebalances.loading.lake import (
    HOURS_MS,
    groups_in_lake,
    seen_between_readings,
)
from evenkeel.dashboard.rebalances.loading.logs import (
    OF_LAKE,
    OF_SHARE,
    Groups,
    freezable_rebalances,
    groups_of,
    log_of,
    read_topic,
)
from evenkeel.dashboard.rebalances.loading.shown import LogView, shown_group
from evenkeel.dashboard.rebalances.words import seen_words, title_of
from evenkeel.dashboard.scope import choose_cluster, group_facts, tabs
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shell import address, by_link, importing, opened
from evenkeel.dashboard.shell.choice import ListedGroup, Options
from evenkeel.dashboard.shell.loading.clusters import cluster_names, cluster_of
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.times import clock, day_and_clock, zone
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.store import About
from evenkeel.data.sources.coordinator_log import LOGGERS
from evenkeel.data.sources.examples.worked_examples import example_log
from evenkeel.data.text.formats import counted, duration, listed

_GROUP = "log-group"
_VIEW = ("span", "rebalance", "from", "to", "cause")
_SPAN = Options("span", {"24h": "24 h", "all": "all"}, "24h", "time")
_ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "America/New_York",
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
)
_ZONE = Options("log-zone", _ZONES, "UTC", "zone of the log")
_PLACEHOLDER = """\
[2026-11-23 12:36:50,118] INFO [GroupCoordinator 4]: Member pay-eu-12-9c1f in group payments has failed, removing it from the group …
[2026-11-23 12:36:50,119] INFO [GroupCoordinator 4]: Preparing to rebalance group payments in state PreparingRebalance with old …
…"""  # noqa: E501
_MOST_GROUPS = 2_000


class Selection(NamedTuple):
    """The log, group, time zone and hours that the reader chose.

    `is_whole`: all hours of the log. `groups`: all groups of the log.
    """

    log: str
    group: str
    zone: str | None
    is_whole: bool
    groups: tuple[str, ...] = ()

    @property
    def is_frozen(self) -> bool:
        """Whether the rebalances come from a share."""
        return self.log.startswith(OF_SHARE)

    @property
    def shown(self) -> LogView:
        """The rebalances of the group in the chosen hours."""
        return shown_group(self.log, self.group, self.zone, self.is_whole)


def require() -> Selection:
    """Return the reader's selection. Without a log, draw how to get one, and stop the page."""
    log = logs.current() or _of_open_group()
    cluster = choose_cluster.chosen() if log is None and opened.current() is None else None
    groups = Groups((), (), False)
    if log:
        groups = groups_of(log)
    elif cluster:
        groups = groups_in_lake(cluster)
    if log is None and not groups.names:
        _explain(_show_open_group())
        st.stop()
    if not groups.names:
        st.info("The log contains no rebalance.")
        _explain()
        st.stop()
    is_whole = _SPAN.follow() == "all"
    group = _group(groups)
    if log is None:
        log = f"{OF_LAKE}{cluster}\n{group}"
        address.show(cluster=cluster, group=group)
    return Selection(log, group, _zone(log), is_whole, groups.names)


def _show_open_group() -> bool:
    """Draw the open group's name, Share, tabs, and a sentence about rebalances between readings.

    Return whether this sentence was drawn.
    """
    group = opened.current()
    if group is None:
        return False
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        group_facts.show_title(begun(group).own.observed, group)
        st.space("stretch")
        menu.show_link(", as long as the upload is kept" * bool(group.batch))
    tabs.show()
    seen = seen_between_readings(group)
    if seen is None:
        return False
    words = seen_words(visible(group.group_id or ""), seen)
    st.html(f'<p class="verdict"><b>{escape(words)}</b></p>')
    return True


def of_share(share_id: str, group: str) -> Selection:
    """Return the selection for a group of a share."""
    return Selection(f"{OF_SHARE}{share_id}", group, None, _SPAN.follow() == "all")


def _of_open_group() -> str | None:
    """Return the log id of the open group's rebalances in the lake, None if there are none."""
    by_link.follow()
    group = opened.current()
    if group is None or not group.batch or group.group_id is None:
        return None
    cluster = cluster_of(group)
    log = f"{OF_LAKE}{cluster}\n{group.group_id}"
    return log if cluster and log_of(log).events else None


def _group(groups: Groups) -> str:
    choice = ListedGroup(_GROUP, groups.names, groups.names[0], "group", is_part=groups.is_part)
    choice.follow()
    # If a group is open, the address already names it.
    if logs.LOG in st.session_state and (groups.is_part or len(groups.names) > 1):
        choice.write()
    return choice.value


def _zone(log: str) -> str | None:
    if not log_of(log).about.zone_assumed:
        return None
    chosen = _ZONE.follow()
    _ZONE.write()
    return None if chosen == _ZONE.default else chosen


def show(chosen: Selection, shown: LogView) -> None:
    """Draw the line above the page: group, badges, source, and the menus."""
    about, last = log_of(chosen.log).about, shown.events[-1]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        if not chosen.is_frozen:
            st.html(
                '<h1 class="scope-title"'
                f' title="{escape(chosen.group)}">{escape(visible(chosen.group))}</h1>',
                width="content",
            )
        _show_badges(shown, last)
        st.html(
            f'<span class="note source-line">{_source(about, shown, chosen.is_frozen)}</span>',
            width="content",
        )
        st.space("stretch")
        reader_zone.show()
        if not chosen.is_frozen:
            _choose(chosen, about)
        _choose_span(chosen)
        if not chosen.is_frozen:
            _share(chosen)
    group = opened.current()
    if group and group.group_id == chosen.group and not chosen.is_frozen:
        tabs.show()


def _show_badges(shown: LogView, last: Rebalance) -> None:
    if last.members == 0:
        st.badge("Empty", color="gray")
    else:
        st.badge("Rebalancing" if last.end is None else "Stable", color="green")
    assignor = next((event.assignor for event in reversed(shown.events) if event.assignor), None)
    if assignor:
        st.badge(in_badge(assignor), icon=":material/account_tree:", color="gray")
    if shown.complete_since is None:
        st.badge(
            "complete",
            icon=":material/verified:",
            color="green",
            help="The history contains all generations of the group, from the first on.",
        )
    else:
        words = f"may miss rebalances before {clock(shown.complete_since / 1000)}"
        st.badge(
            words,
            icon=":material/history:",
            color="orange",
            help="The input does not contain the start of the group's history.",
        )


def _source(about: About, shown: LogView, is_frozen: bool) -> str:
    files = counted(len(about.files), "file")
    brokers = (
        f"broker{'s' * (len(about.brokers) > 1)} {listed(list(map(str, about.brokers)))}"
        if about.brokers
        else ""
    )
    source = f"from {files}" if about.files else "from records"
    if about.cluster:
        source = f"of cluster {about.cluster}"
    text = f"from logs of {brokers}: {files}" if brokers else source
    end = shown.until / 1000
    span = f"{day_and_clock((about.first or shown.since) / 1000)} to {clock(end)} {zone(end)}"
    owners = (
        '<span class="owners">; owners from <code>__consumer_offsets</code></span>'
        if about.has_records
        else ""
    )
    taken = (
        f"; the log's times are {'assumed to be ' * about.zone_assumed}{about.zone}"
        if is_frozen and about.brokers
        else ""
    )
    left = [f"{about.undated:,} lines without a time"] * bool(about.undated) + [
        f"{about.cut:,} cut off"
    ] * bool(about.cut)
    return (
        f"{escape(text)},"
        f" {escape(span)}{owners}{escape(taken)}{escape('; ' + listed(left)) if left else ''}"
    )


def _choose(chosen: Selection, about: About) -> None:
    with st.popover("Add a log", icon=":material/add:", width="content", key="add-log"):
        _intake(is_more=True)
    if about.zone_assumed:
        text = "The log's times have no zone. Choose the zone."
        _ZONE.select("Zone of the log", width=118, help=text, persist_state=None)
    names = chosen.groups[:_MOST_GROUPS]
    if len(names) > 1:
        st.html('<span class="note">Group</span>', width="content")
        st.selectbox(
            "Group, most rebalances first",
            names,
            key=_GROUP,
            on_change=address.chosen,
            args=("group",),
            format_func=visible,
            label_visibility="collapsed",
            width=150,
        )


def _choose_span(chosen: Selection) -> None:
    times = [at for at in _moments(chosen) if at]
    if times and times[-1] - times[0] > HOURS_MS:
        _SPAN.show("Time")


def _share(chosen: Selection) -> None:
    """Draw the menu Share. The shared link opens the same rebalances."""
    view = {key: st.query_params[key] for key in _VIEW if key in st.query_params}
    compute = partial(freezable_rebalances, chosen.log, chosen.group, chosen.zone)
    title, nameless = (title_of(name, _moments(chosen)) for name in (chosen.group, None))
    offer = menu.Offer(compute, title, None, view, nameless)
    menu.show(offer, lasts=", as long as the log is kept")


def _moments(chosen: Selection) -> list[int | None]:
    """Return the start of each rebalance of the group, None if unknown."""
    return [
        event.time
        for event in log_of(chosen.log, chosen.zone).events
        if event.group == chosen.group
    ]


# How to get a log.


def _explain(is_beside: bool = False) -> None:
    """Draw how to get a log. `is_beside`: a sentence about the open group is above it."""
    st.html(
        '<h2 class="section">A broker\'s log shows causes, lengths and members</h2>'
        if is_beside
        else '<h1 class="headline">Why did the group rebalance, when, and how long?</h1>'
    )
    span = duration(configuration().keep_uploads.total_seconds())
    text = (
        "A broker's log needs no rights in Kafka. It stays on this server and is deleted after"
        f" {span}."
    )
    st.html(f'<p class="note" style="margin:0">{text}</p>')
    with st.container(border=True, gap="xsmall"):
        _intake(is_more=False)
        st.caption(f"Logger {LOGGERS}.")
    _live()
    if not is_beside:
        _offer_example()


def _offer_example() -> None:
    if not reader().grants.may_anywhere("upload"):
        return
    st.html('<h2 class="section" style="padding-top:6px">Or start from a worked example</h2>')
    text = (
        "A real broker's log: six members restart one by one, one member is too slow"
        " twice, one member dies, the topic gets partitions."
    )
    st.html(f'<p class="note" style="margin:0">{text}</p>')
    pressed = st.button(
        "Open the example",
        key="log-example",
        icon=":material/arrow_forward:",
        icon_position="right",
    )
    if pressed and logs.read([example_log()]):
        st.rerun()


def _intake(is_more: bool) -> None:
    if not reader().grants.may_anywhere("upload"):
        st.info("You have no right to paste or upload.")
        return
    key = "more" if is_more else "first"
    text = st.text_area(
        "Log",
        placeholder=_PLACEHOLDER,
        height=140,
        key=f"log-paste-{key}",
        label_visibility="collapsed",
    )
    box_text = importing.box(
        "server.log, rotated files, .gz, or a dump of __consumer_offsets", f"log-files-{key}"
    )
    files = [(file.name, file.getvalue()) for file in box_text]
    files += [("paste", text.encode())] if text.strip() else []
    pressed = st.button("Read it", key=f"read-log-{key}", type="primary")
    if pressed and files and logs.read(files, is_more):
        st.rerun()


def _live() -> None:
    """Draw a button that reads `__consumer_offsets` of a configured cluster.

    If the topic cannot be read, draw the missing right and two alternatives.
    """
    names = cluster_names()
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        cluster = st.selectbox(
            "Or read __consumer_offsets of a cluster", names, key="rebalances-cluster"
        )
        pressed = st.button(
            "Read the topic",
            key="read-topic",
            icon=":material/arrow_forward:",
            icon_position="right",
        )
    if pressed:
        try:
            with st.spinner("Reading __consumer_offsets …"):
                logs.remember(read_topic(cluster))
        except SnapshotError as error:
            st.warning(literal(str(error)))
        else:
            st.rerun()
