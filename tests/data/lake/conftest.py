"""A place of each kind: a folder, and a bucket of the tests' S3 service."""

import pytest

from evenkeel.data.lake import service
from evenkeel.data.lake.place import place_of
from tests.services.s3 import S3


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path):
    """An empty place, once a folder that is not there yet, once a bucket."""
    return (
        place_of(tmp_path / "lake")
        if request.param == "folder"
        else request.getfixturevalue("bucket")
    )


@pytest.fixture
def sleepy(monkeypatch):
    """A service of its own, which is asked once, and a lake in it."""
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)
    with S3() as started:
        yield started, started.bucket() / "lake"
