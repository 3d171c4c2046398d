"""Shares: what of a page can be frozen, and the freezing."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from evenkeel.assignors import ASSIGNORS, TASK_ASSIGNORS
from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.dashboard.overview.loading import Overview, overview
from evenkeel.dashboard.overview.tables import page_of
from evenkeel.dashboard.scope import snapshots
from evenkeel.dashboard.shares.loading.owners import short_id
from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL, SHARED_SECONDS
from evenkeel.dashboard.shell.loading.applications import application
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.loading.speeds import Speeds, speeds
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import (
    EVERYBODY,
    audited,
    reader,
    require_seen,
    whose,
)
from evenkeel.dashboard.times import in_utc
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.rights import Verb
from evenkeel.data.configuration.settings import OF_GROUP
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.scenarios.run.results import GroupResult, application_result
from evenkeel.data.scenarios.run.step_drains import StepDrains, drains_of, with_current_drain
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.scenarios.scenario.scenario import (
    FORMAT,
    ApplicationScenario,
    ApplicationSettings,
    Scenario,
    Step,
    scenario_of,
)
from evenkeel.data.shares.redaction import KINDS, Row, preview, redacted
from evenkeel.data.shares.share import Frozen, NewShare
from evenkeel.data.shares.store import shares

ContentT = TypeVar("ContentT", bound=Scenario | ApplicationScenario | Mapping)


class Origin(NamedTuple):
    """The group of an audit line or a share; `is_of_lake`: it was read of a cluster, whose rights
    decide.
    """

    cluster: str | None
    group_id: str | None
    is_of_lake: bool


class Freezable(NamedTuple, Generic[ContentT]):
    """A scenario, its answers and their lines, ready to be frozen; `result`: None of an
    application.

    `source`: the place of the reading. `gain`: the part of 1 from which on a switch of the group is
    worth it. `opened`: the frozen group; of rebalances `origin` instead, whose document and lines
    replace a scenario and its answers. `kept_as`: a name of these very lines, under which their
    preview is kept; empty if it is made each time. `seen`: the Overview of a group, as it is open.
    """

    scenario: ContentT
    lines: list[dict[str, Any]]
    result: GroupResult | None = None
    source: str = ""
    gain: float = GAIN
    opened: Opened = Opened()
    origin: Origin | None = None
    kept_as: str = ""
    seen: Overview | None = None

    @classmethod
    def of_log(
        cls, document: ContentT, lines: list[dict[str, Any]], cluster: str | None, group: str
    ) -> "Freezable[ContentT]":
        """Return the rebalances of a group, from a log of a cluster or an upload."""
        return cls(
            document,
            lines,
            source=f"the cluster {cluster}" if cluster else "an uploaded log",
            origin=Origin(cluster, group, cluster is not None),
            kept_as=secrets.token_hex(),
        )

    @property
    def as_json(self) -> Mapping[str, Any]:
        return msgspec.to_builtins(self.scenario)


def freezable(group: Opened, steps: Sequence[Step], gain: float) -> Freezable[Scenario]:
    """Return a page's group with the answers of Evenkeel's own assignors; `gain`: the chosen gain.

    Raises
    ------
    SnapshotError
        When an edit names a missing thing.
    """
    key = (freezable, group, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable(group, steps), SHARED_SECONDS)._replace(
        gain=gain, opened=group, seen=_seen(group, gain)
    )


def _seen(group: Opened, gain: float) -> Overview:
    """Return what Overview shows; without hours if they cannot be read: the rest can be shared all
    the same.
    """
    answer = diagnosis(group, before=snapshots.earlier(group), gain=gain)
    with suppress(SnapshotError):
        return overview(group, answer)
    return Overview(answer)


def _freezable(group: Opened, steps: Sequence[Step]) -> Freezable:
    own = begun(group).own
    names = [row.name for row in own.comparison.rows[1:] if row.name in ASSIGNORS]
    scenario = scenario_of(
        own.observed, steps, msgspec.structs.replace(group.settings, assignors=names)
    )
    result, speeds = apart.result(scenario), _speeds(group)
    if speeds is None:
        return Freezable(scenario, lines_of(result), result, _source(group))
    drains = StepDrains(own.observed, *speeds)
    result = replace(result, drains=drains_of(result.steps, drains))
    return Freezable(
        scenario, with_current_drain(lines_of(result), own.observed, drains), result, _source(group)
    )


def _source(group: Opened) -> str:
    if group.slug:
        return f"the worked example {group.slug}"
    cluster = cluster_of(group)
    return f"the cluster {cluster}" if cluster else "an uploaded listing"


def _speeds(group: Opened) -> Speeds | None:
    """Return the speeds of the group; None if the lake cannot be read: the rest can be shared all
    the same.
    """
    with suppress(SnapshotError):
        return speeds(group)
    return None


def freezable_application(opened: Opened, steps: Sequence[Step]) -> Freezable[ApplicationScenario]:
    """Return what Streams shows of an application, with the answers of all task assignors; raises
    as `freezable`.
    """
    key = (freezable_application, opened, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable_application(opened, steps), SHARED_SECONDS)._replace(
        opened=opened
    )


def _freezable_application(opened: Opened, steps: Sequence[Step]) -> Freezable[ApplicationScenario]:
    settings = ApplicationSettings(assignors=list(TASK_ASSIGNORS))
    scenario = ApplicationScenario(
        FORMAT, application(opened).document, settings=settings, steps=list(steps)
    )
    return Freezable(
        scenario,
        lines_of(application_result(scenario, budget=configuration().budget)),
        source=_source(opened),
    )


def names_in(view: Freezable, kinds: Sequence[str]) -> list[Row]:
    """Return every exported name, and its stand-in."""
    if not view.kept_as:
        return preview(view.as_json, view.lines, kinds)
    return ALL.get(
        (names_in, view.kept_as, *kinds),
        lambda: preview(view.as_json, view.lines, kinds),
        SHARED_SECONDS,
    )


def freeze(
    view: Freezable,
    *,
    title: str,
    note: str,
    author: str,
    keep: timedelta | None,
    redact: Sequence[str],
    owner: str | None,
    forked_from: str | None,
    audience: str | None = None,
) -> NewShare:
    """Store a share; it is on disk when this returns.

    Raises
    ------
    SnapshotError
        Where it breaks a limit, a text holds a name that is to be redacted, or the reader has no
        right to share this, or its names.
    """
    require_seen(view.opened)
    origin = view.origin or _origin(view.opened)
    cluster, group_id, _ = origin
    if not _may("share", origin):
        audited(
            "refusal", what="share", cluster=cluster, group=group_id, why="no right to share it"
        )
        raise SnapshotError("your rights do not include shares of this group")
    offered: Sequence[str | None] = audiences() or [None]
    chosen = audience or offered[0]
    if not (_may("names", origin) or _is_for_who_sees(origin, chosen)) and set(redact) != set(
        KINDS
    ):
        raise SnapshotError(
            "your rights include only shares of this group with stand-ins, expected stand-ins of"
            " every kind"
        )
    extra: dict[str, Any] = {"source": view.source} | (
        {} if view.result is None else {"gain": view.gain}
    )
    if view.seen is not None:
        seen = _named(view, view.seen, redact)
        extra |= {"diagnosis": seen.answer.document(), "overview": bands(seen)}
    lines = [view.lines[0] | extra, *view.lines[1:]]
    of = {"audience": chosen, "cluster": cluster, "group_id": group_id}
    made = shares().make(
        Frozen(view.as_json, lines, title, keep, note, author, tuple(redact), forked_from, **of),
        owner,
    )
    audited("share", what=short_id(made.share_id), cluster=cluster, group=group_id)
    return made


def _named(view: Freezable, seen: Overview, redact: Sequence[str]) -> Overview:
    """Return the Overview with the names that the share has, and without marks that somebody
    wrote.
    """
    if not redact:
        return seen
    hidden = redacted(view.as_json, view.lines, redact).scenario
    scenario = decode_any_scenario(msgspec.json.encode(hidden))
    answer = seen.answer.named_as(observed_from_document(scenario.group))
    return replace(seen, answer=answer, marks=[mark for mark in seen.marks if not mark.is_set])


def bands(seen: Overview) -> dict[str, Any]:
    """Return what Overview draws, in UTC, as a report has it."""
    with in_utc():
        return msgspec.to_builtins(page_of(seen), enc_hook=lambda number: number.item())


def _origin(opened: Opened) -> Origin:
    is_of_lake = reader() is not EVERYBODY and opened.batch and not whose(opened.batch).is_upload
    return Origin(cluster_of(opened), opened.group_id, bool(is_of_lake))


def _may(verb: Verb, origin: Origin) -> bool:
    """Return whether the reader may do this with the open group; a group of no cluster and not of
    the lake, with any.
    """
    who = reader()
    of = origin.cluster, origin.group_id
    return (
        who.sees(*of) and who.may(verb, *of) if origin.is_of_lake else who.grants.may_anywhere(verb)
    )


def _is_for_who_sees(origin: Origin, audience: str | None) -> bool:
    """Return whether only readers who may see a share's names may open it; an upload is for nobody
    but its owner.
    """
    return audience == OF_GROUP and origin.is_of_lake


def audiences() -> list[str]:
    """Return who may be given access to a share, the widest first; none if nobody needs a login."""
    chosen = configuration()
    return chosen.shares.audiences if chosen.is_closed else []


def expiries() -> list[timedelta | None]:
    """Return the times after which a share may expire, None for never."""
    return configuration().shares.expiries


def usual_expiry() -> timedelta:
    """Return the time after which a share expires if its author chooses nothing."""
    return configuration().shares.keep
