"""Streamlit's own files, as the server sends them from memory."""

import asyncio
import gzip
from pathlib import Path
from types import MappingProxyType

import pytest
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from streamlit.file_util import get_static_dir

from evenkeel.dashboard.server import application
from tests.waiting import awaited

ROOT = Path(get_static_dir())
KEPT = {"cache-control": "public, immutable, max-age=31536000", "vary": "Accept-Encoding"}


def asked(path, method="GET", **headers):
    """Return the headers and the body of an answer; of what is not answered from memory the body is
    `Streamlit`.
    """
    return awaited(
        _asked(application._Assets(PlainTextResponse("Streamlit")), path, method, headers)
    )


async def _asked(app, path, method="GET", headers=MappingProxyType({})):
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    sent = []

    async def send(message):
        sent.append(message)

    await app({"type": "http", "method": method, "path": path, "headers": named}, None, send)
    return Headers(raw=sent[0]["headers"]), b"".join(message.get("body", b"") for message in sent)


def path_of(pattern):
    return "/" + min(ROOT.glob(pattern)).relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    ("pattern", "kind"), [("static/js/*.js", "text/javascript"), ("static/css/*.css", "text/css")]
)
def test_a_script_comes_packed_to_who_can_unpack_it_and_as_it_is_to_others(pattern, kind):
    path = path_of(pattern)
    on_disk = (ROOT / path[1:]).read_bytes()

    packed, plain = asked(path, accept_encoding="gzip, deflate, br"), asked(path)

    assert (packed[0]["content-encoding"], gzip.decompress(packed[1])) == ("gzip", on_disk)
    assert ("content-encoding" in plain[0], plain[1]) == (False, on_disk)
    for headers, body in (packed, plain):
        assert headers["content-type"].startswith(kind)
        assert headers["content-length"] == str(len(body))
        assert {name: headers[name] for name in KEPT} == KEPT


def test_a_font_is_not_packed_again():
    path = path_of("static/media/*.woff2")

    headers, body = asked(path, accept_encoding="gzip")

    assert body == (ROOT / path[1:]).read_bytes()
    assert ("content-encoding" in headers, headers["content-type"]) == (False, "font/woff2")


def test_every_script_style_and_font_of_streamlit_is_known_by_its_hash():
    found = [
        f"/{file.relative_to(ROOT).as_posix()}"
        for kind in ("js", "css", "woff2")
        for file in ROOT.rglob(f"*.{kind}")
    ]

    assert len(found) > 300
    assert [path for path in found if not application._HASHED.fullmatch(path)] == []


@pytest.mark.parametrize("header", ["range", "if_none_match", "if_modified_since"])
def test_a_part_of_a_file_and_a_question_whether_it_has_changed_go_to_streamlit(header):
    assert asked(path_of("static/js/*.js"), **{header: "x"})[1] == b"Streamlit"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/compare",
        "/static/index.html",
        "/static/js/nothing.AAAAAAAA.js",
        "/static/js/../../x.AAAAAAAA.js",
        "/static/js/",
    ],
)
def test_what_is_no_such_file_goes_to_streamlit(path):
    assert asked(path)[1] == b"Streamlit"


def test_another_method_goes_to_streamlit():
    assert asked(path_of("static/js/*.js"), "HEAD")[1] == b"Streamlit"


def test_many_that_ask_at_once_read_a_file_once(monkeypatch):
    calls = []
    monkeypatch.setattr(application, "_bytes_of", lambda *key: calls.append(key) or b"data")
    path, app = path_of("static/js/*.js"), application._Assets(PlainTextResponse("Streamlit"))

    async def all_asked():
        return await asyncio.gather(*(_asked(app, path) for _ in range(50)))

    answers = awaited(all_asked())

    assert ({body for _, body in answers}, calls) == ({b"data"}, [(path, False)])
