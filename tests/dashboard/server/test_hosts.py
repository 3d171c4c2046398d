"""Who may ask: by which name, and from which page."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from streamlit import config

from evenkeel.dashboard.server.guard import HOSTS
from tests.waiting import awaited

OWN = ("10.4.1.17", 8501)
"""The address of the socket that was asked."""

NAMED = '[server]\nhosts = ["evenkeel.example.com", "desk:8443", "[fd00::7]"]\n'


@pytest.fixture(autouse=True)
def named(tmp_path, monkeypatch):
    """The configuration names three hosts; Streamlit listens on localhost, as
    `dashboard/.streamlit/config.toml` says.
    """
    (tmp_path / "evenkeel.toml").write_text(NAMED)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))


@pytest.fixture
def option(monkeypatch):
    """Return a function that sets an option of Streamlit."""

    def given(name, value):
        before, is_set = config.get_option, config.is_manually_set
        monkeypatch.setattr(
            config, "get_option", lambda asked: value if asked == name else before(asked)
        )
        monkeypatch.setattr(config, "is_manually_set", lambda asked: asked == name or is_set(asked))

    return given


def asked(host, origin=None, method="GET", kind="http", own=OWN):
    """Ask the server; return the status of its refusal, or the Host that the pages see."""
    headers = [
        (b"host", each.encode("latin-1")) for each in ([host] if isinstance(host, str) else host)
    ]
    headers += [] if origin is None else [(b"origin", origin.encode("latin-1"))]
    scope = {
        "type": kind,
        "method": method,
        "path": "/",
        "headers": headers,
        "server": own,
        "extensions": {"websocket.http.response": {}},
    }
    seen = []

    async def pages(scope, receive, send):
        seen.extend(value.decode() for name, value in scope["headers"] if name == b"host")

    async def send(message):
        seen.extend([message["status"]] if "status" in message else [])

    awaited(HOSTS.cls(pages)(scope, None, send))
    assert len(seen) == 1
    return seen[0]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8501",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8501",
        "[::1]",
        "[::1]:8501",
        "localhost.",
        "10.4.1.17:8501",
    ]
    + ["evenkeel.example.com", "Evenkeel.Example.com:9000", "desk:8443", "[fd00::7]:8501"],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_name_of_this_server_may_be_asked(host, kind):
    assert asked(host, kind=kind) == host


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8501",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evenkeel.example.com.evil",
        "10.4.1.18",
        "desk",
    ]
    + [
        "desk:8501",
        "0.0.0.0",
        "[::2]",
        "::1",
        "",
        "localhost:",
        "localhost:x",
        "localhost:²",
        "user@localhost",
        "localhost/",
        "local host",
        [],
    ]
    + [".", "...", ".:8501"]
    + [["localhost", "evil.example"], ["localhost", "localhost"]],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_every_other_host_is_refused_on_pages_and_websocket(host, kind):
    assert asked(host, kind=kind) == 421


@pytest.mark.parametrize("own", [("::ffff:10.4.1.17", 8501, 0, 0), ("10.4.1.17", 8501)])
def test_the_address_that_a_browser_has_connected_to_may_be_asked(own):
    assert asked("10.4.1.17:8501", own=own) == "10.4.1.17:8501"


def test_streamlits_own_options_name_this_server(option):
    assert (asked("keel.lan"), asked("10.0.0.9")) == (421, 421)
    option("browser.serverAddress", "keel.lan")
    assert asked("keel.lan:8501") == "keel.lan:8501"
    option("server.address", "10.0.0.9")
    assert asked("10.0.0.9:8501") == "10.0.0.9:8501"


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_a_server_that_listens_everywhere_still_asks_for_its_names(option, everywhere):
    option("server.address", everywhere)

    assert (asked("0.0.0.0"), asked("[::]"), asked("evil.example"), asked("localhost")) == (
        421,
        421,
        421,
        "localhost",
    )


def test_a_configuration_that_cannot_be_read_allows_no_other_name(tmp_path):
    (tmp_path / "evenkeel.toml").write_text("[server]\nhosts = 3\n")

    assert (asked("evenkeel.example.com"), asked("localhost")) == (421, "localhost")


CHANGES = [("POST", "http"), ("PUT", "http"), ("DELETE", "http"), ("GET", "websocket")]


@pytest.mark.parametrize(("method", "kind"), CHANGES)
@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8501", "localhost:8501"),
        ("https://localhost:8501", "localhost:8501"),
        ("https://evenkeel.example.com", "evenkeel.example.com"),
        ("https://evenkeel.example.com", "evenkeel.example.com:443"),
        ("http://[::1]:8501", "[::1]:8501"),
        # A proxy that changes Host, or only its port.
        ("https://evenkeel.example.com", "127.0.0.1:8501"),
        ("https://desk:8443", "127.0.0.1:8501"),
        ("https://desk:8443", "desk:8443"),
    ],
)
def test_a_page_of_this_server_may_change_something_and_streamlit_sees_one_host(
    origin, host, method, kind
):
    assert asked(host, origin, method, kind) == origin.partition("://")[2]


@pytest.mark.parametrize(("method", "kind"), CHANGES)
@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:5173", "localhost:8501"),
        ("http://localhost", "localhost:8501"),
        ("http://localhost", "127.0.0.1:8501"),
        ("https://localhost", "127.0.0.1:8501"),
        ("http://127.0.0.1", "localhost:8501"),
        ("http://localhost:8501", "127.0.0.1:8501"),
        ("http://127.0.0.1:8501", "localhost:8501"),
        ("http://evil.example", "localhost:8501"),
        ("http://evil.example:8501", "localhost:8501"),
        ("http://evenkeel.example.com", "evenkeel.example.com:8501"),
        ("https://evenkeel.example.com:9000", "evenkeel.example.com"),
        ("https://evenkeel.example.com:9000", "localhost:8501"),
        ("https://desk", "localhost:8501"),
        ("null", "localhost:8501"),
        ("file://", "localhost:8501"),
        ("", "localhost:8501"),
        ("http://localhost:8501/", "localhost:8501"),
        ("chrome-extension://localhost:8501", "localhost:8501"),
    ],
)
def test_a_page_of_another_host_or_port_may_change_nothing_and_opens_no_websocket(
    origin, host, method, kind
):
    assert asked(host, origin, method, kind) == 403


def test_who_only_reads_or_is_no_browser_needs_no_origin():
    assert asked("localhost:8501", "http://localhost:5173", "GET") == "localhost:8501"
    assert asked("localhost:8501", None, "POST") == "localhost:8501"


LATIN = some.text(some.characters(max_codepoint=255), max_size=30)
PIECES = some.lists(
    some.sampled_from(
        [
            "localhost",
            "[::1]",
            ":8501",
            ":",
            ".",
            "http://",
            "evil",
            "@",
            "/",
            "\n",
            "²",
            "127.0.0.1",
        ]
    ),
    max_size=6,
)
TEXTS = LATIN | PIECES.map("".join)
FIXTURE = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FIXTURE
@given(TEXTS, TEXTS)
def test_whatever_a_client_sends_as_host_and_origin_is_answered(host, origin):
    assert asked(host) in (421, host)
    assert asked(host, origin, "POST") in (421, 403, origin.partition("://")[2])


PORTS = some.integers(1, 65_535)


@FIXTURE
@given(PORTS, PORTS, some.sampled_from(["http", "https"]))
def test_a_local_page_may_ask_its_own_port_alone(port, other, scheme):
    assert (
        asked(f"localhost:{port}", f"{scheme}://localhost:{port}", kind="websocket")
        == f"localhost:{port}"
    )
    assert (
        other == port
        or asked(f"localhost:{port}", f"{scheme}://localhost:{other}", kind="websocket") == 403
    )
