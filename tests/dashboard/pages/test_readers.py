"""Every page for a reader who may see one group of three: no element names the others; and for
those who may not enter.
"""

import json
import random
import re
import time
from datetime import timedelta

import pytest
import streamlit as st
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.secrets import secrets_singleton

from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.login_cookie import COOKIE
from evenkeel.dashboard.shell.reader import EVERYBODY, acting
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, decode
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.live import for_pages
from evenkeel.data.live.reading.readiness import GroupReading, LiveReadiness
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.data.rebalances.store import keep_told, write_told
from tests.dashboard.conftest import ADDRESSES
from tests.dashboard.logins import SECRET, value_of
from tests.dashboard.shell.test_rights import policies, written
from tests.data.configuration.rights_model import may, may_see_in
from tests.data.rebalances.test_history import RESTART
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble

POLICY = f"""
[clusters.{CLUSTER}]
"bootstrap.servers" = "127.0.0.1:1"

[clusters.elsewhere]
"bootstrap.servers" = "127.0.0.1:1"

[login]
address = "http://localhost:8501"
cookie_secret = {{env = "COOKIE_OF_TESTS"}}

[login.providers.corporate]
label = "Example Corp"
client_id = "evenkeel"
client_secret = {{env = "COOKIE_OF_TESTS"}}
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"

[[rights]]
claim = "groups"
values = ["first-team"]
can = ["see"]
clusters = ["{CLUSTER}"]
groups = ["group-0001"]

[[rights]]
claim = "groups"
values = ["uploaders"]
can = ["upload"]

[[rights]]
claim = "groups"
values = ["admins"]
can = ["admin"]

[audit]
path = "audit.jsonl"
"""
PAGES = sorted(ADDRESSES)
_ROW = dict.fromkeys(schemas.GROUPS.names) | {
    "group_type": "classic",
    "state": "Stable",
    "member_count": 2,
    "partition_count": 4,
}


@pytest.fixture
def closed(lake, ingested, monkeypatch):
    """A lake with a collected cluster and an ingested listing; a cluster that lists four groups."""
    ingested(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST"
        " CLIENT-ID\npay-hidden orders 0 5 9 4 a /h a\n"
    )
    write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=4, members=2, days=0.02))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    (lake / "evenkeel.toml").write_text(POLICY)
    lags = {"new": 900, "group-0002": 800, "group-0001": 700, "group-0000": 600}
    rows = [
        _ROW | {"group_id": name, "lag": lag, "max_lag": lag, "unknown_lag_count": 0}
        for name, lag in lags.items()
    ]
    monkeypatch.setattr(
        for_pages,
        "groups_of",
        lambda name: schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS),
    )
    monkeypatch.setattr(
        for_pages, "readiness_of", lambda name: seen_as([row for row in lags if row != "new"])
    )
    monkeypatch.setattr(
        secrets_singleton, "_secrets", {"auth": {"cookie_secret": SECRET}}, raising=False
    )
    ALL.clear()
    yield lake
    ALL.clear()


def seen_as(names):
    """Return what a cluster with these groups of two members tells Readiness."""
    written = {
        "format": FORMAT,
        "type": "classic",
        "state": "Stable",
        "assignor": "range",
        "topics": [{"name": "orders", "partitions": 4}],
        "members": [
            {"member_id": one, "subscribed": ["orders"], "owned": {"orders": owned}}
            for one, owned in (("a", [0, 1]), ("b", [2, 3]))
        ],
    }
    observed = [
        observed_from_document(decode(json.dumps(written | {"group_id": name}))) for name in names
    ]
    groups = [GroupReading(one, [frozenset({"librdkafka"})] * 2, (), 1) for one in observed]
    return LiveReadiness(groups, {"group.version": 1}, {1: {}}, [], clock.now())


@pytest.fixture
def as_reader(monkeypatch):
    """Return a function that logs the browser in with claims; without any it has no login."""
    kept = {}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda context: kept))

    def logged_in(**claims):
        kept.clear()
        kept[COOKIE] = value_of(**({"name": "Ada *L*"} | claims))

    return logged_in


def text(page):
    return "\n".join(str(getattr(element, "proto", "")) for element in page.app._tree)


def slot_of(lake):
    return next(one.batch for one in store.batches(place_of(lake)) if one.cluster)


def kinds(name):
    """Return a policy of those that show the same groups, and of those that show a whole cluster;
    others of them for each page.
    """
    found = {}
    for rights, claims in policies(500):
        seen = tuple(each for each in GROUPS if may(rights, claims, "see", CLUSTER, each))
        is_whole = may(rights, claims, "see", CLUSTER, "no right names this one")
        found.setdefault((seen, is_whole), []).append((rights, claims, seen))
    return [random.Random(name).choice(some) for some in found.values()]


def link_of(name, closed, asked):
    """Return the address of a page with a group, None for none."""
    own = {
        "rebalances": {"log": logged},
        "shared": {"share": shared},
        "readiness": {"verdict": lambda closed: "unknown"},
    }
    link = {key: make(closed) for key, make in own.get(name, {"opened": slot_of}).items()}
    return link | {"cluster": CLUSTER} | ({"group": asked} if asked else {})


SHOWN = {
    "groups": lambda seen, asked: seen,
    "open": lambda seen, asked: [],
    "readiness": lambda seen, asked: seen,
    "shared": lambda seen, asked: ["member-0"] * ("group-0001" in seen),
    "streams": lambda seen, asked: [],
}
"""What pages show that do not show the group alone that is asked for: lists, what is shared, and
nothing, for none is an application.
"""


@pytest.mark.parametrize("name", PAGES)
def test_every_page_shows_each_reader_what_a_literal_reading_allows(page, closed, as_reader, name):
    wrong = []
    links = {asked: link_of(name, closed, asked) for asked in (None, *GROUPS)}
    for rights, claims, seen in kinds(name):
        (closed / "evenkeel.toml").write_text(POLICY.partition("[[rights]]")[0] + written(rights))
        as_reader(**claims)
        asked = random.Random(str(seen)).choice(seen) if seen else None
        opened = page.anew().open(name, **links[asked])
        shown = text(opened)
        hidden = {
            name.replace("group", kind)
            for name in GROUPS
            if name not in seen
            for kind in ("group", "topic")
        }
        hidden |= set() if may(rights, claims, "see", "", "pay-hidden") else {"pay-hidden"}
        hidden |= set() if may_see_in(rights, claims, "elsewhere") else {"elsewhere"}
        wrong += [(seen, asked, "leak", each) for each in hidden if each in shown]
        expected = SHOWN.get(name, lambda seen, asked: [asked] * bool(seen))(seen, asked)
        wrong += [
            (seen, asked, "refused", each) for each in [*expected, "Ada"] if each not in shown
        ]
    assert wrong == []


@pytest.mark.parametrize(
    "name", ["overview", "compare", "moves", "whatif", "timeline", "best", "streams"]
)
def test_the_address_of_a_hidden_group_opens_as_one_of_a_group_that_is_not_there(
    page, closed, as_reader, name
):
    as_reader(groups=["first-team"])
    said = []

    for asked in ("group-0000", "grouq-0000"):
        other = page.anew().open(name, opened=slot_of(closed), group=asked)
        said.append(
            (text(other).replace("grouq", "group"), other.errors, other.address.get("opened"))
        )

    assert said[0][1:] == said[1][1:]
    assert "topic-0000" not in said[0][0]


def logged(lake):
    """Store a log that was read from the cluster by somebody before there was a login; return its
    id. group-0000 rebalances most often.
    """
    names = ("group-0000", *GROUPS)
    history = read_history(
        HistoryRequest(),
        [(name, RESTART.replace(b"group pay ", f"group {name} ".encode())) for name in names],
    )
    return keep_told(
        place_of(lake), lambda home: write_told(home, history, ("__consumer_offsets",), CLUSTER)
    )


GROUPS = ("group-0000", "group-0001", "group-0002")


def shared(lake):
    """Share group-0001 with those who may see it; return the id."""
    with acting(EVERYBODY):
        what = sharing.freezable(OpenGroup(batch=slot_of(lake), group_id="group-0001"), [], 0.1)
        about = {
            "title": "t",
            "note": "",
            "author": "",
            "keep": timedelta(days=1),
            "owner": None,
            "forked_from": None,
        }
        return sharing.freeze(what, **about, audience="see", redact=()).share_id


def opened_in(page):
    """Return the group that Readiness or Rebalances has open."""
    table = page.component("isTree")
    return (
        next((row["id"] for row in table["rows"] if row.get("isOpen")), None)
        if table
        else page.scope
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("readiness", "cluster"),
        ("readiness", "opened"),
        ("rebalances", "log"),
        ("compare", "opened"),
    ],
)
def test_an_address_with_a_place_or_a_name_opens_the_same_group_for_every_reader_or_none(
    page, closed, as_reader, name, what
):
    link = {
        what: {"cluster": lambda closed: CLUSTER, "opened": slot_of, "log": logged}[what](closed)
    }
    as_reader(groups=["admins"])
    everything = page.open(name, place="2", **link)
    assert opened_in(everything) == {"compare": "group-0000"}.get(name, "group-0001")
    assert (everything.address.get("place"), everything.address.get("group")) == ("2", None)

    as_reader(groups=["first-team"])
    part = page.anew().open(name, place="1", **link)
    assert re.fullmatch(
        "The URL asks for the group “1” of this (list|upload), expected its name.",
        *part.warnings,
    )
    part = page.anew().open(name, group="group-0001", **link)
    assert opened_in(part) == "group-0001"
    assert "group-0000" not in text(part)
    assert (part.address.get("place"), part.address.get("group")) == (None, "group-0001")
    hidden, gone = (
        page.anew().open(name, group=one, **link).warnings for one in ("group-0000", "grouq-0000")
    )
    assert hidden == [one.replace("grouq", "group") for one in gone] != []

    as_reader(groups=["admins"])
    assert opened_in(page.anew().open(name, **part.address)) == "group-0001"


def test_the_list_of_groups_and_its_numbers_are_those_of_the_groups_that_one_may_see(
    page, closed, as_reader
):
    as_reader(groups=["first-team"])
    page.open("groups", cluster=CLUSTER)

    assert list(page.groups) == ["group-0001"]
    assert (page.counts, page.groups["group-0001"]["lag"]) == ("1 is unknown", "700")


def test_whoever_is_not_logged_in_is_asked_to_on_every_page(page, closed, monkeypatch):
    monkeypatch.setattr(type(st.context), "cookies", property(lambda context: {}))
    for name in sorted({*PAGES} - {"shared"}):
        opened = page.anew().open(name, opened=slot_of(closed), group="group-0001")

        assert [button.label for button in opened.app.button] == ["Log in with Example Corp"]
        assert "group-000" not in text(opened)


def test_whoever_is_not_logged_in_may_follow_the_link_of_a_share_and_is_offered_the_login(
    page, closed, monkeypatch
):
    monkeypatch.setattr(type(st.context), "cookies", property(lambda context: {}))
    page.open("shared", share="A" * 22)

    assert page.warnings == ["No share has this address."]
    assert "Log in" in text(page)
    assert "Log in with" not in text(page)


def test_a_login_that_ends_while_the_page_is_open_is_asked_for_again_at_the_next_run(
    page, closed, as_reader
):
    as_reader(groups=["first-team"])
    page.open("groups", cluster=CLUSTER)
    as_reader(groups=["first-team"], exp=time.time() - 61)
    page.open()

    assert [button.label for button in page.app.button] == ["Log in with Example Corp"]
    assert "This browser sent a login that has ended" in page.warnings[0]
    assert [
        json.loads(line)["event"] for line in (closed / "audit.jsonl").read_text().splitlines()
    ][-1] == "refusal"


@pytest.mark.parametrize("name", ["moves", "readiness"])
def test_a_file_is_refused_if_rights_have_changed_since_the_page_was_drawn(
    page, closed, as_reader, monkeypatch, name
):
    made = []
    monkeypatch.setattr(
        MediaFileManager,
        "add_deferred",
        lambda manager, make, *of, **about: made.append(make) or "0" * 32,
    )
    as_reader(groups=["first-team"])
    page.open(name, opened=slot_of(closed), group="group-0001", cluster=CLUSTER)
    (make,) = made
    assert {"moves": "partition", "readiness": "group-0001"}[name] in str(make())

    (closed / "evenkeel.toml").write_text(
        POLICY.replace('groups = ["group-0001"]', 'groups = ["group-0000"]')
    )
    with pytest.raises(
        SnapshotError,
        match="your rights have changed since this page was drawn; load the page again",
    ):
        make()
    (closed / "evenkeel.toml").write_text(POLICY)
    as_reader(groups=["first-team"], exp=time.time() - 61)
    with pytest.raises(SnapshotError, match="your rights have changed"):
        make()
    told = [json.loads(line) for line in (closed / "audit.jsonl").read_text().splitlines()]
    assert [line["why"] for line in told if line.get("what") == "export"] == [
        "other rights than when the page was drawn",
        "a login that has ended",
    ]


def test_an_account_without_a_right_is_told_so_and_what_to_do(page, closed, as_reader):
    as_reader(groups=["nobody-knows"])
    page.open("start")

    assert "corporate" in text(page)
    assert "has no rights here yet" in text(page)
    assert [button.label for button in page.app.button] == ["Log out"]


def test_an_upload_belongs_to_who_made_it(page, closed, as_reader):
    as_reader(groups=["uploaders"])
    listing = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nmine"
        " orders 0 5 9 4 a /h a\n"
    )
    page.paste(listing)
    batch = page.address["opened"]
    as_reader(groups=["uploaders"], sub="bob")
    other = page.anew().open("compare", opened=batch)
    gone = page.anew().open("compare", opened="nothing")
    as_reader(groups=["first-team"])
    refused = page.anew().open("start")

    assert "mine" in text(page)
    assert (other.errors, other.warnings) == (gone.errors, gone.warnings) != ([], [])
    assert "mine" not in text(other)
    assert not [area for area in refused.app.text_area if area.key == "paste"]
    told = [json.loads(line) for line in (closed / "audit.jsonl").read_text().splitlines()]
    assert [
        (line["event"], line["who"], line.get("group"))
        for line in told
        if line["event"] in ("upload", "open")
    ][:2] == [
        ("upload", "corporate:ada", None),
        ("open", "corporate:ada", "mine"),
    ]
