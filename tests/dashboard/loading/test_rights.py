"""No reader is shown a group that a literal reading of the rights denies, and none is denied one that it allows."""

import random
from datetime import timedelta
from itertools import product
from types import SimpleNamespace

import pytest
from prometheus_client import generate_latest

from evenkeel.assignors.readiness import Broker
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading import shares as sharing
from evenkeel.dashboard.loading.applications import is_application
from evenkeel.dashboard.loading.best import searched
from evenkeel.dashboard.loading.cache import ALL
from evenkeel.dashboard.loading.clusters import LiveList, live_list
from evenkeel.dashboard.loading.history.readings import readings
from evenkeel.dashboard.loading.history.verdicts import followed_clusters, listed_diagnoses, listed_verdicts
from evenkeel.dashboard.loading.reader import EVERYBODY, UNKNOWN, Reader, acting
from evenkeel.dashboard.loading.readiness import Known, Readiness, readiness
from evenkeel.dashboard.loading.rebalances import OF_LAKE, OF_SHARE, freezable_rebalances, groups_of, log_of, recent_rebalances, shown_group
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.server import metrics
from evenkeel.dashboard.view import Asked as BestAsked
from evenkeel.dashboard.view import Opened
from evenkeel.data import clock
from evenkeel.data.configuration.rights import VERBS, Right, granted
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import uploads
from evenkeel.data.rebalances.history import Asked, read_history
from evenkeel.data.rebalances.store import add_to_lake, keep_told, store_logs, write_told
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.tables import schemas
from tests.dashboard.conftest import AnsweredHere
from tests.data.configuration.test_rights import may
from tests.data.rebalances.test_history import RESTART
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import until

GROUPS = ["group-0000", "group-0001", "group-0002"]
LISTING = """GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
pay orders 0 5 9 4 a /h a
refunds orders 1 5 9 4 a /h a
"""
CLUSTER_GLOBS = ["*", CLUSTER, f"{CLUSTER[:2]}*", "?*", "elsewhere", ""]
GROUP_GLOBS = ["*", "group-000?", "group-0001", "*2", "pay", "re*", "none"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A lake with a collected cluster and an ingested listing, an upload of ada, and one from before there was a login."""
    lake = tmp_path_factory.mktemp("lake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENKEEL_LAKE", str(lake))
        patch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
        patch.setattr(uploads, "OwnProcess", AnsweredHere)
        patch.setattr(uploads, "_READER", SimpleNamespace(start=lambda environment: None, begin=None))
        write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=2, members=2, days=0.01))
        ALL.clear()
        (lake / "evenkeel.toml").write_text(f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n')
        old = uploads.upload([("a.txt", LISTING.encode())])
        (lake / "evenkeel.toml").write_text(f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n[login]\n')
        with acting(Reader("login", "corporate:ada", grants=EVERYBODY.grants)):
            own = uploads.upload([("b.txt", LISTING.encode())])
            shared = {audience: _frozen(lake, audience) for audience in ("link", "login", "see")}
            until(lambda: listed_verdicts(CLUSTER).groups, pause=0.02)
        rows = [dict.fromkeys(schemas.GROUPS.names) | {"group_id": name} for name in GROUPS]
        live = LiveList(schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS), clock.now(), clock.steady())
        slot = store.batches(place_of(lake))[0].batch
        history = read_history(Asked(), [("server.log", RESTART.replace(b"group pay ", b"group %b " % name.encode())) for name in GROUPS])
        add_to_lake(place_of(lake), history.events, CLUSTER)
        read = keep_told(place_of(lake), lambda home: write_told(home, history, ("__consumer_offsets",), CLUSTER))
        with acting(Reader("login", "corporate:ada", grants=EVERYBODY.grants)):
            log = store_logs(place_of(lake), [("server.log", RESTART)])
        yield SimpleNamespace(lake=lake, slot=slot, old=old, own=own, live=live, shared=shared, read=read, log=log)
        ALL.clear()


def _frozen(lake, audience):
    group = Opened(batch=store.batches(place_of(lake))[0].batch, group_id=GROUPS[1])
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
    """Return so many policies, each with the claims of a reader."""
    chance = random.Random(33)
    for _ in range(count):
        rights = [
            Right(
                chance.choice(["groups", "sub"]),
                (chance.choice(["team-a", "team-*", "bob", "ada"]),),
                tuple(chance.sample(VERBS, chance.randint(1, 3))),
                tuple(chance.sample(CLUSTER_GLOBS, chance.randint(1, 2))),
                tuple(chance.sample(GROUP_GLOBS, chance.randint(1, 2))),
            )
            for _ in range(chance.randint(1, 3))
        ]
        yield rights, {"sub": chance.choice(["ada", "bob"]), "groups": chance.sample(["team-a", "team-b"], chance.randint(0, 2))}


def put_live(world):
    """Let the cluster have answered: it is none that runs."""
    ALL.put((live_list, CLUSTER), world.live)
    ALL.put((readiness, CLUSTER), SimpleNamespace(taken_at=0))
    judged = [SimpleNamespace(facts=SimpleNamespace(group_id=name)) for name in GROUPS]
    ALL.put((readiness, CLUSTER, 0, Known()), Readiness(judged, Broker(), {}, 1, (), clock.now()))


def is_there(load):
    """Tell whether something exists for the reader."""
    try:
        load()
        return True
    except SnapshotError:
        return False


def judged_of(cluster):
    try:
        return [one.facts.group_id for one in readiness(cluster, Known()).groups]
    except SnapshotError:
        return []


def names(load):
    try:
        found = load()
        return found["group_id"].to_pylist() if found else []
    except SnapshotError:
        return []


def shown(world):
    """Return what every way to a group shows to the reader of now."""
    each = [Opened(batch=world.slot, group_id=name) for name in GROUPS]
    yield "live list", sorted(names(lambda: live_list(CLUSTER).groups))
    yield "verdicts", sorted(names(lambda: listed_verdicts(CLUSTER).groups))
    yield "diagnoses", sorted(listed_diagnoses(CLUSTER, GROUPS).sentences)
    yield "slot", sorted(names(lambda: loading.imported(world.slot).groups.table))
    yield "view", [one.group_id for one in each if is_there(lambda one=one: loading.view(one))]
    # Nothing but the cache asks for these.
    yield "begun", [one.group_id for one in each if is_there(lambda one=one: begun(one))]
    yield "candidate", [one.group_id for one in each if is_there(lambda one=one: loading.first_candidate(one, 0.1))]
    yield "facts", [one.group_id for one in each if is_there(lambda one=one: loading.facts(one))]
    yield "readings", [one.group_id for one in each if is_there(lambda one=one: readings(one))]
    yield "best", [one.group_id for one in each if is_there(lambda one=one: searched(one, BestAsked("lag")))]
    yield "readiness", judged_of(CLUSTER)
    yield "rebalances", [name for name in GROUPS if is_there(lambda name=name: groups_of(f"{OF_LAKE}{CLUSTER}\n{name}"))]
    yield "topic", sorted(groups_of(world.read).names) if is_there(lambda: groups_of(world.read)) else []
    yield "recent", sorted({one.group for one in recent_rebalances()})
    yield "kind", [one.group_id for one in each if is_there(lambda one=one: is_application(one))]
    yield "gauges", sorted({name for name in GROUPS if f'group="{name}"' in generate_latest(metrics._REGISTRY).decode()})


def test_500_policies_show_each_reader_what_a_literal_reading_allows(world):
    wrong = []
    with acting(EVERYBODY):
        until(lambda: not listed_diagnoses(CLUSTER, GROUPS).is_behind, pause=0.02)
        told = set(listed_diagnoses(CLUSTER, GROUPS).sentences)
    for number, (rights, claims) in enumerate(policies(500)):
        put_live(world)
        who = Reader("login", f"corporate:{claims['sub']}", grants=granted(rights, claims))
        seen = [name for name in GROUPS if may(rights, claims, "see", CLUSTER, name)]
        is_cluster = any(may([right], claims, "see", CLUSTER, name) for right in rights for name in _words(right.groups))
        with acting(who):
            wrong += [
                (number, way, found, seen)
                for way, found in shown(world)
                if found != (sorted(told & {*seen}) if way == "diagnoses" else seen)
            ]
            own = claims["sub"] == "ada" or may(rights, claims, "admin", "", "")
            uploaded = [is_there(lambda batch=batch: loading.imported(batch)) for batch in (world.own, world.old)]
            logged = is_there(lambda: log_of(world.log))
            opened = {
                audience: is_there(lambda made=made: sharing.open_share(made.share_id, None)) for audience, made in world.shared.items()
            }
            listed = [CLUSTER in loading.cluster_names(), CLUSTER in followed_clusters()]
        wrong += [(number, "uploads", uploaded)] * (uploaded != [own, True])
        wrong += [(number, "log", logged)] * (logged != own)
        wrong += [(number, "shares", opened)] * (opened != {"link": True, "login": True, "see": GROUPS[1] in seen})
        wrong += [(number, "clusters", listed)] * (listed != [is_cluster] * 2)
    assert wrong == []


def _words(globs):
    """Return a name that each glob matches."""
    return [glob.replace("*", "x").replace("?", "x") for glob in globs]


def test_verbs_allow_what_they_say(world):
    wrong = []
    what = {name: _frozen_later(world, name) for name in GROUPS}
    with acting(EVERYBODY):
        logs = {name: freezable_rebalances(world.read, name, None) for name in GROUPS}
    for number, (rights, claims) in enumerate(policies(60)):
        with acting(Reader("login", f"corporate:{claims['sub']}", grants=granted(rights, claims))):
            for name, is_hidden in product(GROUPS, (True, False)):
                verbs = ["see", "share", *([] if is_hidden else ["names"])]
                allowed = all(may(rights, claims, verb, CLUSTER, name) for verb in verbs)
                made = is_there(
                    lambda name=name, is_hidden=is_hidden: sharing.freeze(
                        what[name], **_said("link") | {"owner": None}, redact=KINDS if is_hidden else ()
                    )
                )
                wrong += [(number, name, is_hidden)] * (made != allowed)
                if not is_hidden:
                    made = is_there(lambda name=name: sharing.freeze(logs[name], **_said("link") | {"owner": None}, redact=()))
                    wrong += [(number, name, "rebalances")] * (made != allowed)
    assert wrong == []


def _frozen_later(world, name):
    with acting(EVERYBODY):
        return sharing.freezable(Opened(batch=world.slot, group_id=name), [], 0.1)


def test_whoever_is_unknown_opens_shares_with_a_link_and_nothing_else(world):
    with acting(UNKNOWN):
        assert dict(shown(world)) == dict.fromkeys(dict(shown(world)), [])
        assert not is_there(lambda: loading.imported(world.old))
        opened = {audience: is_there(lambda made=made: sharing.open_share(made.share_id, None)) for audience, made in world.shared.items()}
    assert opened == {"link": True, "login": False, "see": False}


def test_a_group_that_one_may_not_see_is_refused_in_the_words_of_one_that_is_not_there(world):
    rights = [Right("sub", ("ada",), ("see",), (CLUSTER,), ("group-0001",))]
    with acting(Reader("login", "corporate:ada", grants=granted(rights, {"sub": "ada"}))):
        said = {
            name: _refusal(lambda name=name: loading.view(Opened(batch=world.slot, group_id=name))) for name in ("group-0000", "nothing")
        }
        gone = _refusal(lambda: loading.view(Opened(batch="nothing", group_id="x")))
        at = {
            name: _refusal(lambda name=name: loading.of_cluster(CLUSTER, name, clock.now().replace(tzinfo=None)))
            for name in ("group-0000", "grouq-0000")
        }
    assert said["group-0000"] == said["nothing"] == gone
    assert at["group-0000"] == at["grouq-0000"].replace("grouq", "group")
    assert "group-0000" in at["group-0000"]


def _refusal(load):
    with pytest.raises(SnapshotError) as error:
        load()
    return str(error.value)


def test_work_behind_a_page_is_done_for_the_reader_who_asked(world):
    rights = [Right("sub", ("ada",), ("see",), (CLUSTER,), ("*",))]
    ALL.clear()
    with acting(Reader("login", "corporate:ada", grants=granted(rights, {"sub": "ada"}))):
        until(lambda: not listed_diagnoses(CLUSTER, GROUPS).is_behind, pause=0.02)
        assert listed_diagnoses(CLUSTER, GROUPS).sentences


def test_the_cost_of_an_open_server_is_a_look_at_the_file(world):
    (world.lake / "evenkeel.toml").write_text("")
    try:
        group = Opened(batch=world.slot, group_id=GROUPS[0])
        loading.view(group)
        reads = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("evenkeel.dashboard.loading.reader._whose", lambda *of: reads.append(of))
            patch.setattr("evenkeel.dashboard.loading.reader.get_script_run_ctx", lambda **_: reads.append("context"))
            loading.view(group)
        assert reads == []
    finally:
        (world.lake / "evenkeel.toml").write_text(f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n[login]\n')


def test_whoever_has_the_link_of_frozen_rebalances_sees_them_and_nothing_else_of_their_log(world):
    with acting(EVERYBODY):
        what = freezable_rebalances(world.read, GROUPS[1], None)
        made = {audience: sharing.freeze(what, **_said(audience), redact=()) for audience in ("link", "login")}

    with acting(UNKNOWN):
        seen = {audience: is_there(lambda one=one: shown_group(f"{OF_SHARE}{one.share_id}", GROUPS[1])) for audience, one in made.items()}
        assert groups_of(f"{OF_SHARE}{made['link'].share_id}").names == (GROUPS[1],)
        assert not is_there(lambda: log_of(world.read).events)
    assert seen == {"link": True, "login": False}
