"""The gate in front of every route: who is let in by a cookie, a header of a proxy or a key, and
who is not.
"""

import asyncio
import json
import os
import time
from datetime import timedelta

import pytest
from starlette.routing import Router
from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.secrets import secrets_singleton
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from evenkeel.dashboard.server import login, proxy
from evenkeel.dashboard.server.application import ROUTES
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shell import login_cookie
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.login_cookie import COOKIE
from evenkeel.dashboard.shell.reader import EVERYBODY, acting
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.commands.main import main
from evenkeel.data.configuration import configuration, file, reading
from evenkeel.data.configuration.rights import granted
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.shares.store import keys
from tests.dashboard.logins import SECRET, value_of
from tests.dashboard.shell.test_rights import GROUPS, policies, written
from tests.data.configuration.rights_model import may
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import awaited

POLICY = f"""
[login]
address = "http://localhost:8501"
cookie_secret = {{env = "COOKIE_OF_TESTS"}}
trusted_proxy = ["10.4.0.7"]

[login.providers.corporate]
client_id = "evenkeel"
client_secret = {{env = "COOKIE_OF_TESTS"}}
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"

[[rights]]
claim = "groups"
values = ["first-team"]
can = ["see"]
clusters = ["{CLUSTER}"]
groups = ["group-0000"]

"""
AUDIT = '[audit]\npath = "audit.jsonl"\n'
POLICY += AUDIT
CLIENT, PROXY = ("10.9.9.9", 40_000), ("10.4.0.7", 40_000)
HEADERS = {"X-Forwarded-Email": "email", "X-Forwarded-Groups": "groups"}


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A server with a provider, a proxy and one right, and a lake with three groups."""
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setenv("COOKIE_OF_TESTS", SECRET)
    monkeypatch.setattr(reading, "_SERVER", [])
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    (tmp_path / "evenkeel.toml").write_text(POLICY)
    monkeypatch.setattr(secrets_singleton, "_secrets", login.settings()["secrets"], raising=False)
    write_lake(place_of(tmp_path), plan_with_trouble(groups=3, partitions=2, members=2, days=0.01))
    ALL.clear()
    yield tmp_path
    ALL.clear()


@pytest.fixture
def proxied(monkeypatch):
    """Streamlit takes names from two headers, and uvicorn leaves addresses as they are."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "")
    before = config.get_option
    monkeypatch.setattr(
        config,
        "get_option",
        lambda name: HEADERS if name == "server.trustedUserHeaders" else before(name),
    )


def asked(path, client=CLIENT, method="GET", body=b"", kind="http", **headers):
    """Return status and text of what the server answers, and the headers that pages see."""
    sent, seen = [], []
    pairs = [
        (name.replace("_", "-").encode(), each.encode())
        for name, value in headers.items()
        for each in ([value] if isinstance(value, str) else value)
    ]
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": pairs,
        "client": client,
    }

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    async def pages(scope, receive, send):
        seen.extend(scope["headers"])
        if scope["type"] == "http":
            await Router(ROUTES)(scope, receive, send)

    # As uvicorn runs it: what an address that its variable names says of the peer replaces it
    # before the gate sees it.
    written = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
    awaited(ProxyHeadersMiddleware(login.LOGIN.cls(pages), written)(scope, receive, send))
    status = next((message["status"] for message in sent if "status" in message), None)
    return status, b"".join(message.get("body", b"") for message in sent).decode(), dict(seen)


def cookie(secret=SECRET, **claims):
    """Return the cookie that a login leaves; its claims as given."""
    return f"{COOKIE}={value_of(secret, **({'groups': ['first-team']} | claims))}"


def groups_in(text):
    """Return the groups of all samples; a silent cluster is a finding without a group."""
    lines = [line for line in text.splitlines() if 'group="' in line]
    return sorted({line.split('group="')[1].split('"')[0] for line in lines} - {""})


def scraped(**sent):
    """Return status and groups of /metrics, asked again until the figures are there."""
    for _ in range(100):
        status, text, _ = asked("/metrics", **sent)
        if status != 200 or groups_in(text):
            return status, groups_in(text)
        time.sleep(0.05)
    return status, []


def audited(folder):
    file = folder / "audit.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_whoever_sends_nothing_gets_no_figure_and_no_computation(closed):
    answers = [
        asked("/metrics"),
        asked("/api/best", method="POST", body=b"{}", content_type="application/json"),
        asked("/api/later"),
    ]

    assert [status for status, _, _ in answers] == [401, 401, 401]
    assert json.loads(answers[0][1])["error"]["message"].startswith(
        "this server needs a key: none was sent"
    )
    # The second one of a kind within a minute is counted, not written.
    assert [(line["event"], line["what"]) for line in audited(closed)] == [
        ("refusal", "/metrics"),
        ("refusal", "/api/"),
    ]


def test_a_key_reads_the_groups_that_its_globs_name_until_it_is_revoked(closed, capsys):
    assert main(["keys", "create", "--name", "ci", "--see", "group-000[12]", "--see", "*2"]) == 0
    key = capsys.readouterr().out.strip()

    assert scraped(authorization=f"Bearer {key}") == (200, ["group-0002"])
    assert main(["keys", "revoke", "ci"]) == 0
    assert asked("/metrics", authorization=f"Bearer {key}")[0] == 401
    assert key not in (closed / "audit.jsonl").read_text() + "".join(
        file.read_bytes().decode("latin-1") for file in (closed / "shares").iterdir()
    )


def test_a_key_ends_with_its_time(closed):
    ended, other = (
        keys().create("a", ["*"], keep=timedelta(seconds=-1)).key,
        keys().create("b", ["*"], keep=timedelta(hours=1)).key,
    )

    assert [
        asked("/metrics", authorization=f"Bearer {key}")[0]
        for key in (ended, other, other[:-1] + "!")
    ] == [401, 200, 401]


def test_a_login_sees_what_its_claims_allow_and_nothing_tells_of_the_others(closed):
    assert scraped(cookie=cookie()) == (200, ["group-0000"])
    status, text, _ = asked("/metrics", cookie=cookie(groups=["second-team"]))
    assert (status, groups_in(text), CLUSTER in text) == (200, [], False)


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        (lambda: cookie(exp=time.time() - 61), "a login that has ended"),
        (lambda: cookie(iat=time.time() + 90), "a token whose time is in the future"),
        (lambda: cookie(aud="another-client"), "a token for another client"),
        (
            lambda: cookie(provider="nowhere"),
            "a login at a provider that is not configured",
        ),
        (lambda: cookie(secret="f" * 32), "a cookie that is not from a login of this server"),
        (
            lambda: f"{COOKIE}={json.dumps({'sub': 'ada'})}",
            "a cookie that is not from a login of this server",
        ),
    ],
)
def test_a_cookie_that_no_login_of_now_has_left_lets_nobody_in_and_is_audited(closed, forged, why):
    assert asked("/metrics", cookie=forged())[0] == 401
    assert audited(closed)[-1] | {"at": ""} == {
        "at": "",
        "event": "refusal",
        "address": "10.9.9.9",
        "what": "/metrics",
        "why": why,
    }


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -30), ("iat", 30)])
def test_a_clock_may_differ_by_a_minute(closed, claim, seconds):
    assert asked("/metrics", cookie=cookie(**{claim: time.time() + seconds}))[0] == 200


def test_a_header_is_believed_from_the_proxy_alone(closed, proxied):
    named = {"x_forwarded_email": "ada@example.com", "x_forwarded_groups": "all, first-team"}

    assert scraped(client=PROXY, **named) == (200, ["group-0000"])
    assert asked("/metrics", client=CLIENT, **named)[0] == 401
    assert (
        asked(
            "/metrics", client=PROXY, **named | {"x_forwarded_groups": ["first-team", "first-team"]}
        )[0]
        == 401
    )
    assert {line["why"] for line in audited(closed) if "header" in line.get("why", "")} == {
        "a name header that the proxy has not sent, or that was sent twice"
    }


@pytest.mark.parametrize(
    "said",
    ["10.4.0.7", "10.4.0.7:1234", "10.4.0.7:01234", "[10.4.0.7]:1234", "1.2.3.4, 10.4.0.7:50001"],
)
def test_a_process_of_this_machine_that_writes_the_address_of_the_proxy_is_not_believed(
    closed, proxied, said
):
    status, _, _ = asked(
        "/metrics",
        client=("127.0.0.1", 50001),
        x_forwarded_for=said,
        x_forwarded_email="ada@example.com",
    )

    assert status == 401


@pytest.mark.parametrize(
    "said", ["10.9.9.9:40000", "10.9.9.9", "127.0.0.1", "[10.9.9.9]:40000, 127.0.0.1:40000"]
)
def test_a_client_that_writes_its_own_address_is_not_taken_for_this_machine(closed, proxied, said):
    (closed / "evenkeel.toml").write_text(POLICY.replace("10.4.0.7", "127.0.0.1"))

    assert (
        asked("/metrics", client=CLIENT, x_forwarded_for=said, x_forwarded_email="ada@example.com")[
            0
        ]
        == 401
    )
    assert (
        asked(
            "/metrics",
            client=("127.0.0.1", 40_000),
            x_forwarded_for=said,
            x_forwarded_email="ada@example.com",
        )[0]
        == 200
    )


def test_where_uvicorn_may_write_over_addresses_no_header_is_believed(closed, proxied, monkeypatch):
    monkeypatch.delenv("FORWARDED_ALLOW_IPS")

    assert asked("/metrics", client=PROXY, x_forwarded_email="ada@example.com")[0] == 401


def test_the_link_of_a_share_opens_also_after_a_login_has_ended(closed):
    ended, _, _ = asked("/api/shares/nothing", cookie=cookie(exp=time.time() - 3600))
    bad_key, _, _ = asked("/api/shares/nothing", authorization="Bearer evenkeel_" + "x" * 43)

    assert (ended, bad_key) == (404, 401)


def test_a_tab_of_somebody_whom_the_proxy_has_named_must_connect_again_and_no_other(
    closed, proxied, ages
):
    assert awaited(tab_of(PROXY, ages, x_forwarded_email="ada@example.com")) == OVER
    assert awaited(tab_of(CLIENT, ages, cookie=cookie())) == STAYS
    (closed / "evenkeel.toml").write_text(POLICY.replace("[login]", '[login]\nrenew = "9s"'))
    with pytest.raises(SystemExit, match="login.renew is shorter than ten seconds"):
        login.settings()


def test_a_tab_that_says_nothing_must_connect_again_too():
    sent = []

    async def silence():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    receive, _ = proxy.for_a_while(silence, send, 0.05)
    assert awaited(receive())["type"] == "websocket.disconnect"
    assert sent == [{"type": "websocket.close", "code": 1012}]


OVER = (
    ["websocket.close 1012"],
    ["websocket.receive", "websocket.disconnect", "websocket.disconnect"],
)
STAYS = ["websocket.send None"], ["websocket.receive"] * 3


@pytest.fixture
def ages(monkeypatch):
    """Return a function that lets an hour go by."""
    steady, hours = proxy.clock.steady, []
    monkeypatch.setattr(proxy.clock, "steady", lambda: steady() + 3600 * len(hours))
    return lambda: hours.append(1)


async def tab_of(client, ages, **headers):
    """Return what is sent to a tab that says something whenever it is listened to, and what its
    page hears; an hour goes by after the first.
    """
    sent, heard = [], []
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "query_string": b"",
        "headers": pairs,
        "client": client,
    }

    async def talking():
        return {"type": "websocket.receive"}

    async def send(message):
        sent.append(f"{message['type']} {message.get('code')}")

    async def page(scope, receive, send):
        heard.append((await receive())["type"])
        ages()
        heard.extend([(await receive())["type"] for _ in range(2)])
        await send({"type": "websocket.send", "bytes": b"too late"})

    await login.LOGIN.cls(page)(scope, talking, send)
    return sent, heard


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_page_never_sees_a_name_that_was_sent_past_the_proxy(closed, proxied, kind):
    _, _, seen = asked(
        "/_stcore/stream",
        kind=kind,
        x_forwarded_email="ada@example.com",
        x_evenkeel_from="10.4.0.7",
    )

    assert seen == {b"x-evenkeel-from": b"10.9.9.9"}


def start_again(folder, text):
    """Begin anew as a server with another file."""
    (folder / "evenkeel.toml").write_text(text)
    login.settings()


def test_an_open_server_asks_nobody_and_adds_nothing(closed):
    start_again(closed, "")

    status, text, seen = asked("/metrics", x_evenkeel_from="10.4.0.7")

    assert status == 200
    assert seen == {b"x-evenkeel-from": b"10.4.0.7"}
    assert scraped() == (200, ["group-0000", "group-0001", "group-0002"])


@pytest.mark.parametrize("base", ["api", "m", "metrics", "evenkeel"])
def test_a_base_path_opens_no_door(closed, monkeypatch, base):
    before = config.get_option
    monkeypatch.setattr(
        config, "get_option", lambda name: base if name == "server.baseUrlPath" else before(name)
    )

    paths = (
        "/metrics",
        "/api/best",
        f"/{base}/_stcore/upload_file/a/b",
        f"/{base}/media/0123456789abcdef.csv",
    )
    assert [asked(path)[0] for path in paths] == [401, 401, 401, 404]


ABOUT = {
    "title": "t",
    "note": "",
    "author": "",
    "keep": timedelta(days=1),
    "owner": None,
    "forked_from": None,
}
MARK = {"body": json.dumps({"cluster": CLUSTER, "group": "group-0001", "text": "deploy"}).encode()}
CASES = {
    "/metrics": lambda sent, shares: groups_in(asked("/metrics", **sent)[1]),
    "/api/scenarios": lambda sent, shares: asked("/api/scenarios", method="POST", **sent)[0],
    "/api/best": lambda sent, shares: asked("/api/best", method="POST", **sent)[0],
    "/api/shares/{share_id:path}": lambda sent, shares: [
        asked(f"/api/shares/{one}", **sent)[0] for one in shares
    ],
    "/api/marks": lambda sent, shares: asked(
        "/api/marks", method="POST", content_type="application/json", **MARK, **sent
    )[0],
    "/api/marks/{mark_id}": lambda sent, shares: asked("/api/marks/none", method="DELETE", **sent)[
        0
    ],
    "/healthz": lambda sent, shares: asked("/healthz", **sent)[0],
}
"""What each route answers, by its path: a new route needs a case."""


def expected(rights, claims):
    """Return what a literal reading of the rights allows, by the same paths."""
    seen = [name for name in GROUPS if may(rights, claims, "see", CLUSTER, name)]
    of_shares = [200, 200, 200 if "group-0001" in seen else 404]
    # 415: let in, and told that the body is none of JSON.
    of_mark = 201 if may(rights, claims, "mark", CLUSTER, "group-0001") else 403
    return dict(zip(CASES, [seen, 415, 415, of_shares, of_mark, 404, 200], strict=True))


def test_500_policies_answer_each_reader_on_every_route_what_a_literal_reading_allows(
    closed, monkeypatch
):
    assert {route.path for route in ROUTES} == CASES.keys()
    scraped(cookie=cookie())
    with acting(EVERYBODY):
        what = sharing.freezable(
            OpenGroup(batch=store.batches(place_of(closed))[0].batch, group_id="group-0001"),
            [],
            0.1,
        )
        shares = [
            sharing.freeze(what, **ABOUT, audience=one, redact=()).share_id
            for one in ("link", "login", "see")
        ]
    wrong = []
    for number, (rights, claims) in enumerate(policies(500)):
        start_again(closed, POLICY.partition("[[rights]]")[0] + written(rights) + AUDIT)
        sent = {"cookie": cookie(**claims)}
        # Lake and store are written for /healthz: of these policies it is asked for a few.
        for path, right in list(expected(rights, claims).items())[
            : None if number % 25 == 0 else -1
        ]:
            found = CASES[path](sent, shares)
            wrong += [(number, path, found, right)] * (found != right)
    assert wrong == []
    assert {path: case({}, shares) for path, case in CASES.items()} == dict(
        zip(CASES, [[], 401, 401, [200, 404, 404], 401, 401, 200], strict=True)
    )


def test_a_file_that_a_page_has_offered_is_for_nobody_whose_rights_have_changed_since(closed):
    before = granted(configuration().rights, {"groups": ["first-team"]})
    login._OFFERED["corporate:ada", before.scope, "0" * 32] = None
    path = f"/media/{'0' * 32}.csv"
    passed = asked(path, cookie=cookie())[1]
    (closed / "evenkeel.toml").write_text(
        POLICY.replace('groups = ["group-0000"]', 'groups = ["group-0001"]')
    )

    # What stands for Streamlit here has no files.
    assert (passed, asked(path, cookie=cookie())[1]) == ("Not Found", "File not found")


FILE = f"/media/{'0' * 32}.csv"


def offered_to(before_it_is_told, client=CLIENT, **headers):
    """Connect a tab that is told of a file after this has happened; return what is answered to
    whoever asks for the file then.
    """
    told = ForwardMsg()
    told.backend_operation_response.deferred_file.url = FILE
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "query_string": b"",
        "headers": pairs,
        "client": client,
    }

    async def page(scope, receive, send):
        before_it_is_told()
        await send({"type": "websocket.send", "bytes": told.SerializeToString()})

    async def send(message):
        pass

    login._OFFERED.clear()
    awaited(login.LOGIN.cls(page)(scope, None, send))
    return asked(FILE, client=client, **headers)[1]


@pytest.mark.parametrize(
    "before",
    [POLICY, "", "[login"],
    ids=["with other rights", "of an open server", "of a wrong configuration"],
)
def test_a_tab_from_before_an_edit_of_the_rights_can_load_the_files_of_its_next_runs(
    closed, before
):
    if not before:
        start_again(closed, before)
    (closed / "evenkeel.toml").write_text(before)
    edited = POLICY.replace('groups = ["group-0000"]', 'groups = ["group-0001"]')

    # What stands for Streamlit here has no files.
    assert (
        offered_to(lambda: (closed / "evenkeel.toml").write_text(edited), cookie=cookie())
        == "Not Found"
    )
    assert asked(FILE)[1] == "File not found"


def test_the_files_of_a_tab_whose_login_has_ended_meanwhile_are_for_nobody(closed, monkeypatch):
    sent, now = cookie(), time.time()

    assert (
        offered_to(
            lambda: monkeypatch.setattr(login_cookie.time, "time", lambda: now + 3600), cookie=sent
        )
        == "File not found"
    )
    assert asked(FILE)[1] == "File not found"


@pytest.mark.parametrize("before", ["", "[login"], ids=["open", "wrong"])
def test_a_tab_that_the_proxy_names_while_the_configuration_is_not_there_must_connect_again_too(
    closed, proxied, ages, before
):
    (closed / "evenkeel.toml").write_text(before)

    assert awaited(tab_of(PROXY, ages, x_forwarded_email="ada@example.com")) == OVER
    assert awaited(tab_of(CLIENT, ages, cookie=cookie())) == STAYS


def test_health_says_no_reason_to_whoever_is_unknown(closed):
    assert json.loads(asked("/healthz")[1]).keys() == {"ok", "process", "lake", "store", "spark"}


def test_names_of_a_proxy_that_everybody_could_send_stop_the_start(closed, proxied, monkeypatch):
    (closed / "evenkeel.toml").write_text("")
    before = config.get_option
    monkeypatch.setattr(
        config, "get_option", lambda name: "0.0.0.0" if name == "server.address" else before(name)
    )

    with pytest.raises(
        SystemExit,
        match=(
            "server.trustedUserHeaders is set and the server listens on 0.0.0.0: anyone could send"
        ),
    ):
        login.settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            POLICY.replace('"see"', '"look"'),
            "line 15: rights\\[0\\].can\\[0\\] is a string, expected see or names",
        ),
        (
            POLICY.replace("http://localhost:8501", "http://evenkeel.example.com"),
            "login.address is not an https address",
        ),
        (
            POLICY.replace("COOKIE_OF_TESTS", "HOME"),
            "login.cookie_secret is too short, expected at least 32 random characters",
        ),
        (
            POLICY.replace("COOKIE_OF_TESTS", "NOT_SET_HERE"),
            "its environment variable is not set",
        ),
    ],
)
def test_a_login_that_is_not_safe_stops_the_start_in_one_sentence(closed, monkeypatch, text, said):
    monkeypatch.setitem(os.environ, "HOME", "/root")
    (closed / "evenkeel.toml").write_text(text)

    with pytest.raises(SystemExit, match=said):
        login.settings()


def test_a_file_that_becomes_wrong_lets_nobody_in_until_it_is_right(closed):
    assert asked("/metrics", cookie=cookie())[0] == 200
    (closed / "evenkeel.toml").write_text("[login")

    answers = [
        asked(path, cookie=cookie())
        for path in ("/metrics", "/media/0123456789abcdef.csv", "/api/shares/none")
    ]

    assert [status for status, _, _ in answers] == [503] * 3
    assert "not TOML" in answers[0][1]


def test_a_file_that_is_cut_at_any_byte_shows_no_figure_to_whoever_has_no_login(closed):
    opened = []
    for end in range(len(POLICY)):
        (closed / "evenkeel.toml").write_text(POLICY[:end])
        opened += [POLICY[:end]] * (asked("/metrics")[0] not in (401, 503))

    assert opened == []


def test_an_error_of_the_reading_that_nobody_expected_lets_nobody_in_and_health_answers(
    closed, monkeypatch
):
    def fails(tables, kind):
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(file, "converted", fails)
    (closed / "evenkeel.toml").write_text(f"{POLICY}\n")
    answers = [asked(path, cookie=cookie()) for path in ("/metrics", "/healthz")]

    assert [status for status, _, _ in answers] == [503, 503]
    assert [
        "has a type that cannot be read (ZeroDivisionError)" in text for _, text, _ in answers
    ] == [True, True]


def test_a_wrong_configuration_without_a_login_starts_and_pages_tell_it(closed):
    (closed / "evenkeel.toml").write_text("[lake]\npath = 7\n")

    assert login.settings() == {}
