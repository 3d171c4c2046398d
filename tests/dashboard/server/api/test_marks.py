"""`POST /api/marks` and `DELETE /api/marks/{id}` on an open server; rights are in `test_login`."""

import json

import pytest

from evenkeel.data.lake.place import place_of
from evenkeel.data.marks.answer import mark_in
from tests.dashboard.server.test_login import asked

DEPLOY = {
    "cluster": "production",
    "group": "payments",
    "at": "2026-11-27T13:29:00Z",
    "text": "deploy 2.41.0",
}


@pytest.fixture
def lake(tmp_path, monkeypatch):
    path = tmp_path / "evenkeel.toml"
    path.write_text('[clusters.production]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    return place_of(tmp_path / "lake")


def _post(document, content_type="application/json"):
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    status, text, _ = asked("/api/marks", method="POST", body=body, content_type=content_type)
    return status, json.loads(text)


def test_a_mark_is_stored_and_deleted(lake):
    status, document = _post(DEPLOY)

    assert status == 201
    assert mark_in(lake, document["id"]).text == "deploy 2.41.0"
    assert asked(f"/api/marks/{document['id']}", method="DELETE")[:2] == (204, "")
    assert asked(f"/api/marks/{document['id']}", method="DELETE")[0] == 404


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"text": "x" * 121},
            "text: found 121 characters, expected one line of 1 to 120 characters",
        ),
        ({"cluster": "prod"}, 'cluster: found "prod", expected one of production'),
        ({"at": "yesterday"}, "Invalid RFC3339 encoded datetime - at `$.at`"),
        ({"colour": "red"}, "Object contains unknown field `colour`"),
    ],
)
def test_what_is_wrong_is_said(lake, change, said):
    status, document = _post(DEPLOY | change)

    assert status == 422
    assert document["error"]["message"] == said


def test_only_small_bodies_of_json_are_read(lake):
    assert _post(DEPLOY, "text/plain")[0] == 415
    assert _post(b" " * 10_001)[0] == 413
