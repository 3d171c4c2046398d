"""No reader is shown a group that a literal reading of the rights denies, and none is denied one
that it allows.
"""

import gc
import json
import os
import random
import sys
import time
from datetime import timedelta
from importlib import import_module
from inspect import getmembers, isfunction, signature
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest
from prometheus_client import generate_latest

from evenkeel import dashboard
from evenkeel.assignors.readiness.facts import Broker
from evenkeel.dashboard.best.loading import searched
from evenkeel.dashboard.groups.loading import of_slots
from evenkeel.dashboard.groups.verdicts import (
    followed_clusters,
    listed_verdicts,
    newest_slots,
)
from evenkeel.dashboard.readiness.loading import ReaderFacts, Readiness, opened_readiness, readiness
from evenkeel.dashboard.rebalances.loading.lake import recent_rebalances
from evenkeel.dashboard.rebalances.loading.logs import (
    OF_LAKE,
    OF_SHARE,
    freezable_rebalances,
    groups_of,
    log_of,
)
from evenkeel.dashboard.rebalances.loading.shown import shown_group
from evenkeel.dashboard.server import metrics
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shares.loading.opened import open_share
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.answer_facts import facts, first_candidate
from evenkeel.dashboard.shell.loading.applications import is_application
from evenkeel.dashboard.shell.loading.clusters import LiveList, cluster_names, live_list, of_cluster
from evenkeel.dashboard.shell.loading.diagnoses import summaries
from evenkeel.dashboard.shell.loading.readings import readings
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.loading.views import begun, view
from evenkeel.dashboard.shell.reader import EVERYBODY, UNKNOWN, Reader, acting
from evenkeel.dashboard.view import OpenGroup, PlanChoice
from evenkeel.data import clock
from evenkeel.data.configuration.rights import Right, Verb, granted
from evenkeel.data.errors import SnapshotError, UnansweredError
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import uploads
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.rebalances.store import add_to_lake, keep_told, store_logs, write_told
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.shares.redaction import KINDS
from tests.dashboard.conftest import AnsweredHere
from tests.data.configuration.rights_model import may, may_see_in, opens_uploads_of_others
from tests.data.rebalances.test_history import _NOON, RESTART
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import until

GROUPS = ["group-0000", "group-0001", "group-0002"]
LISTING = """GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
pay orders 0 5 9 4 a /h a
refunds orders 1 5 9 4 a /h a
"""
CONFIGURED = (
    f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n[shares]\nper_day = 1_000_000\n'
)
CLUSTER_GLOBS = ["*", CLUSTER, f"{CLUSTER[:2]}*", "?*", "elsewhere", ""]
GROUP_GLOBS = ["*", "group-000?", "group-0001", "*2", "pay", "re*", "none"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A lake with a collected cluster and an ingested listing, an upload of ada, and one from
    before there was a login.
    """
    lake = tmp_path_factory.mktemp("lake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENKEEL_LAKE", str(lake))
        patch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
        patch.setattr(uploads, "OwnProcess", AnsweredHere)
        patch.setattr(
            uploads, "_READER", SimpleNamespace(start=lambda environment: None, begin=None)
        )
        write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=2, members=2, days=0.01))
        ALL.clear()
        (lake / "evenkeel.toml").write_text(CONFIGURED)
        old = uploads.upload([("a.txt", LISTING.encode())])
        (lake / "evenkeel.toml").write_text(f"{CONFIGURED}[login]\n")
        with acting(Reader("login", "corporate:ada", grants=EVERYBODY.grants)):
            own = uploads.upload([("b.txt", LISTING.encode())])
            shared = {audience: _frozen(lake, audience) for audience in ("link", "login", "see")}
            until(lambda: listed_verdicts(CLUSTER).groups, pause=0.02)
        rows = [dict.fromkeys(schemas.GROUPS.names) | {"group_id": name} for name in GROUPS]
        live = LiveList(
            schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS),
            clock.now(),
            clock.steady(),
        )
        slot = store.batches(place_of(lake))[0].batch
        history = read_history(
            HistoryRequest(),
            [
                ("server.log", RESTART.replace(b"group pay ", b"group %b " % name.encode()))
                for name in GROUPS
            ],
        )
        add_to_lake(place_of(lake), history.events, CLUSTER)
        read = keep_told(
            place_of(lake), lambda home: write_told(home, history, ("__consumer_offsets",), CLUSTER)
        )
        with acting(Reader("login", "corporate:ada", grants=EVERYBODY.grants)):
            log = store_logs(place_of(lake), [("server.log", RESTART)])
        yield SimpleNamespace(
            lake=lake, slot=slot, old=old, own=own, live=live, shared=shared, read=read, log=log
        )
        ALL.clear()


def _frozen(lake, audience):
    group = OpenGroup(batch=store.batches(place_of(lake))[0].batch, group_id=GROUPS[1])
    return sharing.freeze(sharing.freezable(group, [], 0.1), **_said(audience), redact=())


def _said(audience):
    return {
        "title": "t",
        "note": "",
        "author": "",
        "keep": timedelta(days=30),
        "owner": "reader corporate:ada",
        "forked_from": None,
        "audience": audience,
    }


def policies(count):
    """Yield so many policies, each with the claims of a reader."""
    chance = random.Random(33)
    for _ in range(count):
        rights = [
            Right(
                chance.choice(["groups", "sub"]),
                (chance.choice(["team-a", "team-*", "bob", "ada"]),),
                tuple(chance.sample(get_args(Verb), chance.randint(1, 3))),
                tuple(chance.sample(CLUSTER_GLOBS, chance.randint(1, 2))),
                tuple(chance.sample(GROUP_GLOBS, chance.randint(1, 2))),
            )
            for _ in range(chance.randint(1, 3))
        ]
        yield (
            rights,
            {
                "sub": chance.choice(["ada", "bob"]),
                "groups": chance.sample(["team-a", "team-b"], chance.randint(0, 2)),
            },
        )


def written(rights):
    """Return rights as a configuration has them."""
    keys = ("claim", "values", "can", "clusters", "groups")
    tables = [
        "\n".join(f"{key} = {json.dumps(getattr(right, key))}" for key in keys) for right in rights
    ]
    return "".join(f"\n[[rights]]\n{table}\n" for table in tables)


def put_live(world):
    """Let the cluster have answered: it is none that runs."""
    ALL.put((live_list, CLUSTER), world.live)
    ALL.put((readiness, CLUSTER), SimpleNamespace(taken_at=0))
    judged = [SimpleNamespace(facts=SimpleNamespace(group_id=name)) for name in GROUPS]
    ALL.put(
        (readiness, CLUSTER, 0, ReaderFacts()), Readiness(judged, Broker(), {}, 1, (), clock.now())
    )


def is_there(load):
    """Tell whether something exists for the reader."""
    try:
        load()
        return True
    except SnapshotError:
        return False


def judged_of(cluster):
    try:
        return [one.facts.group_id for one in readiness(cluster, ReaderFacts()).groups]
    except SnapshotError:
        return []


def names(load):
    try:
        found = load()
        return found["group_id"].to_pylist() if found else []
    except SnapshotError:
        return []


def diagnosed_in(batch):
    try:
        return sorted(each.group_id for each in summaries(batch))
    except SnapshotError:
        return []


LOADERS = {
    "begun": begun,
    "candidate": lambda one: first_candidate(one, 0.1),
    "facts": facts,
    "readings": readings,
    "best": lambda one: searched(one, PlanChoice("lag")),
    "kind": is_application,
}
"""Nothing but the cache asks for some of these."""


def shown(world, turn=0):
    """Return what every way to a group shows to the reader of now; of the loaders one in turn."""
    each = [OpenGroup(batch=world.slot, group_id=name) for name in GROUPS]
    chosen = [*LOADERS][turn % len(LOADERS)]
    yield "live list", sorted(names(lambda: live_list(CLUSTER).groups))
    yield "verdicts", sorted(names(lambda: listed_verdicts(CLUSTER).groups))
    yield "diagnoses", diagnosed_in(world.slot)
    yield "slot", sorted(names(lambda: imported(world.slot).groups.table))
    yield "view", [one.group_id for one in each if is_there(lambda one=one: view(one))]
    yield chosen, [one.group_id for one in each if is_there(lambda one=one: LOADERS[chosen](one))]
    yield "readiness", judged_of(CLUSTER)
    yield (
        "rebalances",
        [
            name
            for name in GROUPS
            if is_there(lambda name=name: groups_of(f"{OF_LAKE}{CLUSTER}\n{name}"))
        ],
    )
    yield (
        "topic",
        sorted(groups_of(world.read).names) if is_there(lambda: groups_of(world.read)) else [],
    )
    yield "recent", sorted({one.group for one in recent_rebalances()})
    gauges = generate_latest(metrics._REGISTRY).decode()
    yield "gauges", [name for name in GROUPS if f'group="{name}"' in gauges]


def test_500_policies_show_each_reader_what_a_literal_reading_allows(world):
    wrong = []
    with acting(EVERYBODY):
        assert diagnosed_in(world.slot) == GROUPS
    for number, (rights, claims) in enumerate(policies(500)):
        put_live(world)
        who = Reader("login", f"corporate:{claims['sub']}", grants=granted(rights, claims))
        seen = [name for name in GROUPS if may(rights, claims, "see", CLUSTER, name)]
        is_cluster = may_see_in(rights, claims, CLUSTER)
        with acting(who):
            wrong += [
                (number, way, found, seen) for way, found in shown(world, number) if found != seen
            ]
            own = claims["sub"] == "ada" or opens_uploads_of_others(rights, claims)
            uploaded = [
                is_there(lambda batch=batch: imported(batch)) for batch in (world.own, world.old)
            ]
            logged = is_there(lambda: log_of(world.log))
            opened = {
                audience: is_there(lambda made=made: open_share(made.share_id, None))
                for audience, made in world.shared.items()
            }
            listed = [CLUSTER in cluster_names(), CLUSTER in followed_clusters()]
        wrong += [(number, "uploads", uploaded)] * (uploaded != [own, True])
        wrong += [(number, "log", logged)] * (logged != own)
        wrong += [(number, "shares", opened)] * (
            opened != {"link": True, "login": True, "see": GROUPS[1] in seen}
        )
        wrong += [(number, "clusters", listed)] * (listed != [is_cluster] * 2)
    assert wrong == []


def test_verbs_allow_what_they_say(world):
    wrong = []
    what = {name: _frozen_later(world, name) for name in GROUPS}
    with acting(EVERYBODY):
        logs = {name: freezable_rebalances(world.read, name, None) for name in GROUPS}
    for number, (rights, claims) in enumerate(policies(150)):
        with acting(Reader("login", f"corporate:{claims['sub']}", grants=granted(rights, claims))):
            for name, (audience, redact) in product(
                GROUPS, (("link", KINDS), ("link", ()), ("see", ()))
            ):
                verbs = ["see", "share", *["names"] * ((audience, redact) == ("link", ()))]
                allowed = all(may(rights, claims, verb, CLUSTER, name) for verb in verbs)
                about = _said(audience) | {"owner": None, "redact": redact}
                made = is_there(lambda name=name, about=about: sharing.freeze(what[name], **about))
                wrong += [(number, name, about)] * (made != allowed)
                if not redact:
                    made = is_there(
                        lambda name=name, about=about: sharing.freeze(logs[name], **about)
                    )
                    wrong += [(number, name, "rebalances", about)] * (made != allowed)
    assert wrong == []


def test_shares_for_people_who_see_the_group_need_no_right_to_names_except_for_an_upload(
    world,
):
    rights = [Right("sub", ("ada",), ("see", "share"), (CLUSTER, ""), ("*",))]
    (world.lake / "evenkeel.toml").write_text(f'{CONFIGURED}widest = "see"\n[login]\n')
    try:
        with acting(Reader("login", "corporate:ada", grants=granted(rights, {"sub": "ada"}))):
            frozen = {
                group: sharing.freezable(group, [], 0.1)
                for group in (
                    OpenGroup(None, world.slot, GROUPS[0]),
                    OpenGroup(None, world.own, "pay"),
                )
            }
            made = [
                is_there(
                    lambda what=what: sharing.freeze(
                        what, **_said(None) | {"owner": None}, redact=()
                    )
                )
                for what in frozen.values()
            ]
    finally:
        (world.lake / "evenkeel.toml").write_text(f"{CONFIGURED}[login]\n")
    assert made == [True, False]


def _frozen_later(world, name):
    with acting(EVERYBODY):
        return sharing.freezable(OpenGroup(batch=world.slot, group_id=name), [], 0.1)


def test_whoever_is_unknown_opens_shares_with_a_link_and_nothing_else(world):
    with acting(UNKNOWN):
        assert dict(shown(world)) == dict.fromkeys(dict(shown(world)), [])
        assert not is_there(lambda: imported(world.old))
        opened = {
            audience: is_there(lambda made=made: open_share(made.share_id, None))
            for audience, made in world.shared.items()
        }
    assert opened == {"link": True, "login": False, "see": False}


def test_a_group_that_one_may_not_see_is_refused_in_the_words_of_one_that_is_not_there(world):
    rights = [Right("sub", ("ada",), ("see",), (CLUSTER,), ("group-0001",))]
    with acting(Reader("login", "corporate:ada", grants=granted(rights, {"sub": "ada"}))):
        said = {
            name: _refusal(lambda name=name: view(OpenGroup(batch=world.slot, group_id=name)))
            for name in ("group-0000", "nothing")
        }
        gone = _refusal(lambda: view(OpenGroup(batch="nothing", group_id="x")))
        at = {
            name: _refusal(
                lambda name=name: of_cluster(CLUSTER, name, clock.now().replace(tzinfo=None))
            )
            for name in ("group-0000", "grouq-0000")
        }
    assert said["group-0000"] == said["nothing"] == gone
    assert at["group-0000"] == at["grouq-0000"].replace("grouq", "group")
    assert "group-0000" in at["group-0000"]


def _refusal(load):
    with pytest.raises(SnapshotError) as error:
        load()
    return str(error.value)


def test_work_behind_a_page_is_done_for_the_reader_who_asked(world, monkeypatch):
    monkeypatch.setattr("evenkeel.dashboard.groups.loading.AT_ONCE", 0)
    rights = [Right("sub", ("ada",), ("see",), (CLUSTER,), ("*",))]
    ALL.clear()
    with acting(Reader("login", "corporate:ada", grants=granted(rights, {"sub": "ada"}))):
        slots = newest_slots(CLUSTER)
        until(lambda: not of_slots(CLUSTER, slots).is_behind, pause=0.02)
        rows = of_slots(CLUSTER, slots).rows
    assert sorted(row["summary"].group_id for row in rows) == GROUPS


def test_readiness_of_what_was_read_says_whether_others_are_hidden(world):
    group = OpenGroup(batch=world.slot, group_id="group-0001")
    with acting(Reader("login", "corporate:ada", grants=granted(ONE_GROUP, {"sub": "ada"}))):
        part = opened_readiness(group, ReaderFacts())
    with acting(EVERYBODY):
        whole = opened_readiness(group, ReaderFacts())
    assert (part.is_part, [one.facts.group_id for one in part.groups]) == (True, ["group-0001"])
    assert (whole.is_part, sorted(one.facts.group_id for one in whole.groups)) == (
        False,
        sorted(GROUPS),
    )


def test_a_look_at_a_kept_value_reads_no_manifest_and_refuses_whoever_may_not_see_its_group(world):
    group = OpenGroup(batch=world.slot, group_id="group-0001")
    ada, bob = (
        Reader("login", f"corporate:{name}", grants=granted(ONE_GROUP, {"sub": name}))
        for name in ("ada", "bob")
    )
    with acting(ada):
        made = begun(group)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "_batch_of", lambda *of: pytest.fail(f"a manifest is read: {of}"))
            assert begun(group) is made
    with acting(bob):
        assert not is_there(lambda: begun(group))


ONE_GROUP = [Right("sub", ("ada",), ("see",), (CLUSTER,), ("group-0001",))]


def test_the_cost_of_an_open_server_is_a_look_at_the_file(world):
    (world.lake / "evenkeel.toml").write_text("")
    try:
        group = OpenGroup(batch=world.slot, group_id=GROUPS[0])
        view(group)
        reads = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("evenkeel.dashboard.shell.reader._whose", lambda *of: reads.append(of))
            patch.setattr(
                "evenkeel.dashboard.shell.reader.get_script_run_ctx",
                lambda **_: reads.append("context"),
            )
            view(group)
        assert reads == []
    finally:
        (world.lake / "evenkeel.toml").write_text(f"{CONFIGURED}[login]\n")


# Every public function that loads and takes a group, found by its signature: a new one is in this
# test by itself.

DASHBOARD = Path(dashboard.__file__).parent
LOADING = (
    "*/loading.py",
    "*/loading/[!_]*.py",
    "shell/reader.py",
    "shell/cache.py",
    "shell/apart.py",
)


def loading_modules():
    """Yield the modules that load, each with its short name: a `loading.py` has that of its
    room.
    """
    for file in sorted(file for pattern in LOADING for file in DASHBOARD.glob(pattern)):
        path = file.relative_to(DASHBOARD).with_suffix("")
        label = path.parent.name if path.name == "loading" else path.name
        yield label, import_module(".".join([dashboard.__name__, *path.parts]))


def test_every_pattern_of_modules_that_load_has_a_module():
    assert [pattern for pattern in LOADING if not list(DASHBOARD.glob(pattern))] == []


def functions_of_a_group():
    """Return them and their parameters, by module and name."""
    public = {
        f"{label}.{name}": (function, signature(function).parameters)
        for label, module in loading_modules()
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    return {
        name: (function, [one for one in parameters.values() if one.default is one.empty])
        for name, (function, parameters) in public.items()
        if any(one.annotation is OpenGroup or one.name == "group_id" for one in parameters.values())
    }


TELL_NOTHING = {
    "applications.key_of": "makes a key of a cache",
    "applications.shown": "is given the document",
    "clusters.cluster_of": "tells the cluster of a batch",
    "clusters.members_now": "looks into the live list of the reader",
    "clusters.next_of": "has no file of weights here",
    "reader.sees_in": "is the question itself",
    "overview.live_cluster": "tells the cluster of a batch",
    "pasts.lake_with_past": "is asked after the reader's right to the group",
    "readiness.opened_readiness": "lists the groups of the reader",
    "whatif.costs": "is given the groups",
    "whatif.stretches": "answers none where nothing can be read",
    "whatif.with_history": "is given the answers",
    "uploads.is_rebalancing": "looks into the list of the reader",
    "walks.moves_of": "is given the answer",
}
OTHERS = {
    "cluster": CLUSTER,
    "steps": [Step()],
    "number": 1,
    "place": 0,
    "name": "range",
    "gain": 0.1,
    "error": UnansweredError("no answer"),
}


OF_PROJECT = tuple(
    f"{DASHBOARD.parent / floor}{os.sep}" for floor in ("assignors", "data", "dashboard")
)


def asked_about(world, function, parameters, group_id):
    """Return what a function answers about a group, and the functions of the project that ran; what
    has no value in OTHERS is None.
    """
    given = OTHERS | {"batch": world.slot, "group_id": group_id}
    arguments = [
        OpenGroup(batch=world.slot, group_id=group_id)
        if one.annotation is OpenGroup
        else given.get(one.name)
        for one in parameters
    ]
    ran = []
    sys.setprofile(lambda frame, event, _: event == "call" and ran.append(frame.f_code))
    try:
        answer = function(*arguments)
    except SnapshotError as error:
        answer = f"refused: {error}"
    except Exception as error:
        answer = repr(error)
    finally:
        sys.setprofile(None)
    return str(answer).replace(group_id, "GROUP"), [
        code.co_qualname for code in ran if code.co_filename.startswith(OF_PROJECT)
    ]


@pytest.fixture
def undisturbed(monkeypatch):
    """Nothing that is kept expires between two questions, and no finaliser of what is left over
    runs in one.
    """
    now = time.monotonic()
    monkeypatch.setattr(ALL, "_clock", lambda: now)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("undisturbed")
def test_a_group_that_one_may_not_see_is_answered_as_one_that_is_not_there_by_the_same_steps(world):
    put_live(world)
    open_to_all, told_apart = [], []
    with acting(Reader("login", "corporate:ada", grants=granted(ONE_GROUP, {"sub": "ada"}))):
        for name, (function, parameters) in functions_of_a_group().items():
            # The first question fills what is kept for all.
            _, hidden, gone = (
                asked_about(world, function, parameters, one)
                for one in ("grouq-0002", "group-0000", "grouq-0000")
            )
            told_apart += [name] * (hidden != gone)
            open_to_all += [name] * (
                not hidden[0].startswith("refused") and name not in TELL_NOTHING
            )
    assert (open_to_all, told_apart) == ([], [])
    assert TELL_NOTHING.keys() <= functions_of_a_group().keys()


def test_a_reader_of_one_group_sees_no_counts_times_or_files_of_other_groups_in_a_log(
    world,
):
    one = GROUPS[1].encode()
    later = RESTART.replace(b"group pay ", b"group %b " % one).replace(b" 12:", b" 13:")
    logs = [("one.log", later), ("rest.log", b"no time\n" + RESTART.replace(b"id=1]", b"id=7]"))]
    history = read_history(HistoryRequest(), logs)
    read = keep_told(
        place_of(world.lake),
        lambda home: write_told(home, history, ("one.log", "rest.log"), CLUSTER),
    )
    rights = [Right("sub", ("bob",), ("see",), (CLUSTER,), (GROUPS[1],))]

    with acting(EVERYBODY):
        whole = log_of(read).about
    with acting(Reader("login", "corporate:bob", grants=granted(rights, {"sub": "bob"}))):
        found = log_of(read)
        about, places = found.about, [each.place for one in found.events for each in one.evidence]

    assert (whole.files, about.files) == (("one.log", "rest.log"), ("one.log",))
    assert places
    assert all(place.startswith("one.log:") for place in places)
    assert (whole.brokers, whole.lines > 0, whole.first) == ((1, 7), True, _NOON)
    assert (about.lines, about.used, about.undated, about.cut, about.brokers) == (0, 0, 0, 0, (1,))
    assert (about.first, about.last) == (_NOON + 3_600_000, _NOON + 3_613_010)


def test_whoever_has_the_link_of_frozen_rebalances_sees_them_and_nothing_else_of_their_log(world):
    with acting(EVERYBODY):
        what = freezable_rebalances(world.read, GROUPS[1], None)
        made = {
            audience: sharing.freeze(what, **_said(audience), redact=())
            for audience in ("link", "login")
        }

    with acting(UNKNOWN):
        seen = {
            audience: is_there(lambda one=one: shown_group(f"{OF_SHARE}{one.share_id}", GROUPS[1]))
            for audience, one in made.items()
        }
        assert groups_of(f"{OF_SHARE}{made['link'].share_id}").names == (GROUPS[1],)
        assert not is_there(lambda: log_of(world.read).events)
    assert seen == {"link": True, "login": False}
