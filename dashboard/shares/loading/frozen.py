"""Freezing: what a share can contain, and how it is stored."""

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
from evenkeel.dashboard.view import OpenGroup
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
    """The group of a share. `is_of_lake`: the group was read from a cluster, so readers need rights
    on it.
    """

    cluster: str | None
    group_id: str | None
    is_of_lake: bool


class Freezable(NamedTuple, Generic[ContentT]):
    """The contents of a share before it is frozen.

    `scenario`, `lines`, `result`: a scenario, its answers as lines, and its answers (None for an
    application). `source`: where the group was read. `gain`: the least gain for a switch, as a
    fraction. `opened`: the group. `seen`: the group's Overview.

    For rebalances: `scenario`: a document. `lines`: its lines. `origin`: the group, in place of
    `opened`. `kept_as`: key under which the names in the share are cached.
    """

    scenario: ContentT
    lines: list[dict[str, Any]]
    result: GroupResult | None = None
    source: str = ""
    gain: float = GAIN
    opened: OpenGroup = OpenGroup()
    origin: Origin | None = None
    kept_as: str = ""
    seen: Overview | None = None

    @classmethod
    def of_log(
        cls, document: ContentT, lines: list[dict[str, Any]], cluster: str | None, group: str
    ) -> "Freezable[ContentT]":
        """Return the rebalances of a group, from the log of a cluster or from an uploaded log."""
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


def freezable(group: OpenGroup, steps: Sequence[Step], gain: float) -> Freezable[Scenario]:
    """Return the group with the answers of Evenkeel's own assignors, in the form that a share
    freezes.

    `gain`: the least gain for a switch, as a fraction.

    Raises
    ------
    SnapshotError
        If an edit names a missing thing.
    """
    key = (freezable, group, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable(group, steps), SHARED_SECONDS)._replace(
        gain=gain, opened=group, seen=_seen(group, gain)
    )


def _seen(group: OpenGroup, gain: float) -> Overview:
    """Return the contents of Overview. Hours that cannot be read are left out."""
    answer = diagnosis(group, before=snapshots.earlier(group), gain=gain)
    with suppress(SnapshotError):
        return overview(group, answer)
    return Overview(answer)


def _freezable(group: OpenGroup, steps: Sequence[Step]) -> Freezable:
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


def _source(group: OpenGroup) -> str:
    if group.slug:
        return f"the worked example {group.slug}"
    cluster = cluster_of(group)
    return f"the cluster {cluster}" if cluster else "an uploaded listing"


def _speeds(group: OpenGroup) -> Speeds | None:
    """Return the group's speeds, None if the lake cannot be read: a share needs no speeds."""
    with suppress(SnapshotError):
        return speeds(group)
    return None


def freezable_application(
    opened: OpenGroup, steps: Sequence[Step]
) -> Freezable[ApplicationScenario]:
    """Return an application with the answers of all task assignors, in the form that a share
    freezes.

    Raises the same errors as `freezable`.
    """
    key = (freezable_application, opened, msgspec.json.encode(list(steps)))
    return ALL.get(key, lambda: _freezable_application(opened, steps), SHARED_SECONDS)._replace(
        opened=opened
    )


def _freezable_application(
    opened: OpenGroup, steps: Sequence[Step]
) -> Freezable[ApplicationScenario]:
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
    """Return all names in the share, with a stand-in for each name that is replaced."""
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
    """Store a share on disk.

    Raises
    ------
    SnapshotError
        If the share exceeds a limit, a text contains a name that must be replaced, or the reader
        has no right to share the group or its names.
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
            "your rights allow shares of this group only with stand-ins: expected stand-ins for"
            " names of every kind"
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
    """Return Overview with the stand-ins of the share.

    If there are stand-ins, the marks that people set are removed.
    """
    if not redact:
        return seen
    hidden = redacted(view.as_json, view.lines, redact).scenario
    scenario = decode_any_scenario(msgspec.json.encode(hidden))
    answer = seen.answer.named_as(observed_from_document(scenario.group))
    return replace(seen, answer=answer, marks=[mark for mark in seen.marks if not mark.is_set])


def bands(seen: Overview) -> dict[str, Any]:
    """Return the contents of Overview for a report, with times in UTC."""
    with in_utc():
        return msgspec.to_builtins(page_of(seen), enc_hook=lambda number: number.item())


def _origin(opened: OpenGroup) -> Origin:
    is_of_lake = reader() is not EVERYBODY and opened.batch and not whose(opened.batch).is_upload
    return Origin(cluster_of(opened), opened.group_id, bool(is_of_lake))


def _may(verb: Verb, origin: Origin) -> bool:
    """Return whether the reader has a right on the group.

    For a group outside the lake, the reader must have this right on some group.
    """
    who = reader()
    of = origin.cluster, origin.group_id
    return (
        who.sees(*of) and who.may(verb, *of) if origin.is_of_lake else who.grants.may_anywhere(verb)
    )


def _is_for_who_sees(origin: Origin, audience: str | None) -> bool:
    """Return whether the share can be opened only by readers who may see its group.

    False for an uploaded group: only its owner may see it.
    """
    return audience == OF_GROUP and origin.is_of_lake


def audiences() -> list[str]:
    """Return the audiences to choose from for a share, widest first; empty without a login."""
    chosen = configuration()
    return chosen.shares.audiences if chosen.is_closed else []


def expiries() -> list[timedelta | None]:
    """Return the lifetimes that an author can choose for a share, None for no expiry."""
    return configuration().shares.expiries


def usual_expiry() -> timedelta:
    """Return the lifetime of a share if the author chooses none."""
    return configuration().shares.keep
