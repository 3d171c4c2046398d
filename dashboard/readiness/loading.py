"""Readiness of a cluster's groups. Groups are read at most once a minute. Their verdicts use the
reader's entries. Their restarts are predicted when the groups are shown.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.facts import Broker, Verdict
from evenkeel.dashboard.shell.cache import ALL, look_up, missing
from evenkeel.dashboard.shell.loading.applications import application, is_application
from evenkeel.dashboard.shell.loading.clusters import require_cluster
from evenkeel.dashboard.shell.loading.example import is_its_slot
from evenkeel.dashboard.shell.loading.stored_groups import stored
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.example import BROKER
from evenkeel.data.live import for_pages
from evenkeel.data.readiness.answer import (
    Ready,
    answered,
    answered_application,
    cooperative,
    is_eager,
    may_be_eager,
    predicted,
)
from evenkeel.data.readiness.environment import Environment, broker_of, require_versions
from evenkeel.data.readiness.groups import answered_live

if TYPE_CHECKING:
    from evenkeel.data.live.reading.readiness import LiveReadiness

READ_SECONDS = 60
"""Seconds for which a reading is reused."""

_FEW = 200
"""A page waits for the predictions of at most this many groups; more groups are predicted in the
background.
"""

_MOST_PROBLEMS = 3
"""Highest number of problems on a page, the most frequent first. A problem is a reason why
groups cannot be read.
"""

_GOING = (Verdict.NOTE, Verdict.READY)

COOPERATIVE = "cooperative"


class ReaderFacts(NamedTuple):
    """The entries of a reader. `versions`: releases of clients, by family. `settings`: settings of
    brokers, by name.
    """

    versions: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()


class Readiness(NamedTuple):
    """The groups of a cluster, with their verdicts. `is_part`: whether the cluster has other
    groups, which the reader may not see.

    `broker`: settings of one broker. `broker_count`: number of brokers that coordinate groups. For
    an upload, `opened` has the `OpenGroup` of each group, `taken_at` is None, and the brokers are
    unknown.
    """

    groups: Sequence[Ready]
    broker: Broker
    features: Mapping[str, int]
    broker_count: int
    problems: Sequence[str]
    taken_at: datetime | None
    is_part: bool = False
    opened: Sequence[OpenGroup] = ()


def readiness(cluster: str, known: ReaderFacts) -> Readiness:
    """Return the groups of a cluster, without predictions. Groups that the reader may not see are
    left out.

    The cluster is queried once for all readers.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or an entry of the reader is invalid.
    """
    require_cluster(cluster)
    require_versions(dict(known.versions))
    live: LiveReadiness = ALL.get(
        (readiness, cluster), partial(for_pages.readiness_of, cluster), READ_SECONDS
    )
    return _for_reader(
        cluster,
        ALL.get((readiness, cluster, live.taken_at, known), partial(_judged, live, known)),
    )


def opened_readiness(group: OpenGroup, known: ReaderFacts) -> Readiness:
    """Return the groups of the upload that `group` is from, worst first, at most 200.

    Raises
    ------
    SnapshotError
        If the upload was deleted, or an entry of the reader is invalid.
    """
    require_versions(dict(known.versions))
    of_example = BROKER if group.batch and is_its_slot(group.batch) else {}
    environment = Environment(
        broker_of({**of_example, **dict(known.settings)}), dict(known.versions)
    )
    listed = imported(group.batch).groups if group.batch else None
    wanted = (
        [group]
        if listed is None
        else [listed.opened(place) for place in range(min(len(listed), _FEW))]
    )
    groups, opened = [], []
    unread: Counter[str] = Counter()
    for wish in wanted:
        look_up()
        try:
            groups.append(
                ALL.get((opened_readiness, wish, known), partial(_opened, wish, environment))
            )
            opened.append(wish)
        except SnapshotError as error:
            unread[str(error)] += 1
    shown = unread.most_common(_MOST_PROBLEMS)
    problems = [text if times == 1 else f"{times:,} groups: {text}" for text, times in shown]
    left = unread.total() - sum(times for _, times in shown)
    problems += [f"{left:,} other groups that cannot be read"] * bool(left)
    if listed is not None and len(listed) > _FEW:
        problems.append(f"{len(listed) - _FEW:,} more groups of this upload")
    return Readiness(
        groups,
        environment.broker,
        {},
        0,
        problems,
        None,
        listed is not None and listed.is_part,
        tuple(opened),
    )


def _opened(opened: OpenGroup, environment: Environment) -> Ready:
    if is_application(opened):
        return answered_application(application(opened).document, environment, opened.source_file)
    return answered(
        view(opened).observed if opened.slug else stored(opened),
        environment,
        draws=0,
        source=opened.source_file,
    )


def _for_reader(cluster: str, overall: Readiness) -> Readiness:
    who = reader()
    if who.sees_all(cluster):
        return overall
    # The problems of the other groups contain their names.
    return overall._replace(
        groups=[group for group in overall.groups if who.sees(cluster, group.facts.group_id)],
        problems=(),
        is_part=True,
    )


def _judged(live: "LiveReadiness", known: ReaderFacts) -> Readiness:
    groups = answered_live(live, dict(known.settings), dict(known.versions), draws=0)
    level = {"group.version": str(live.features.get("group.version", 0))}
    broker = broker_of(level | dict(next(iter(live.settings.values()), {})) | dict(known.settings))
    nodes = {group.node for group in live.groups if group.node is not None}
    return Readiness(groups, broker, live.features, len(nodes), live.problems, live.taken_at)


def way(
    cluster: str | None,
    of: Readiness,
    group: Ready,
    assignor: str,
    plan: str = CONSUMER,
    draws: int = 1,
) -> Ready:
    """Return a group with its predicted restarts. If its restarts cannot be predicted, return the
    group without them.
    """
    key = (
        way,
        cluster,
        of.taken_at,
        of.opened[:1],
        group.facts.group_id,
        group.source,
        group.asked.broker,
        tuple(group.asked.versions.items()),
        assignor,
        plan,
        draws,
    )
    return ALL.get(
        key,
        lambda: (
            cooperative(group, draws) if plan == COOPERATIVE else predicted(group, assignor, draws)
        ),
    )


def eager(of: Readiness) -> list[Ready]:
    """Return the groups that are or may be eager. Their verdicts are about a change to the
    cooperative assignor.
    """
    return [
        cooperative(group, draws=0) for group in of.groups if is_eager(group) or may_be_eager(group)
    ]


class Total(NamedTuple):
    """Sums over the groups whose restarts have been predicted so far. `moves`: number of partitions
    whose final owner differs from the current owner. `partitions`: number of all partitions.

    `left`: number of groups that are not predicted yet. `untold`: number of groups whose restarts
    cannot be predicted.
    """

    moves: int
    partitions: int
    left: int
    untold: int = 0


_COUNTING: dict[tuple, Total] = {}
_PATIENCE_SECONDS = 5.0


def total(cluster: str | None, of: Readiness, known: ReaderFacts) -> Total:
    """Return the moves of all groups that can migrate.

    If there are many groups, the result has only the groups that were predicted so far. Predictions
    continue while a page asks for the result.
    """
    going = [
        group
        for group in of.groups
        if group.judged.verdict in _GOING and group.observed and group.facts.members
    ]
    key = (total, cluster, of.taken_at, of.opened[:1], known, reader().scope)
    if ALL.find(key) is None:
        missing(
            {key: partial(_count, key, cluster, of, going)},
            _PATIENCE_SECONDS if len(going) <= _FEW else 0.0,
        )
    return ALL.find(key) or _COUNTING.get(key) or Total(0, 0, len(going))


def _count(
    key: tuple,
    cluster: str | None,
    of: Readiness,
    going: Sequence[Ready],
    is_asked: Callable[[], bool],
) -> None:
    total = Total(0, 0, len(going))
    try:
        for group in going:
            if not is_asked():
                return
            way_of_it = way(cluster, of, group, group.assignor).way
            if way_of_it and group.observed:
                total = total._replace(
                    moves=total.moves + way_of_it.moves,
                    partitions=total.partitions + group.observed.snapshot.tp_count,
                    left=total.left - 1,
                )
            else:
                total = total._replace(left=total.left - 1, untold=total.untold + 1)
            _COUNTING[key] = total
        ALL.put(key, total)
    finally:
        _COUNTING.pop(key, None)
