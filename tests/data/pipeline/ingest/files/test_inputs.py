"""What paths and URLs name."""

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline.ingest.inputs import inputs_of


@pytest.fixture
def held(bucket):
    """A bucket with some objects, and its URL."""
    for key in ("in/a.txt", "in/b/1.txt", "in/.hidden", "in/.git/x", "inner.txt"):
        bucket.write(key, key.encode())
    return bucket


def names(inputs):
    return [one.name for one in inputs]


def test_a_url_is_its_object_or_all_under_it_without_hidden_ones(held):
    url, settings = str(held), dict(held.settings)

    assert names(inputs_of([f"{url}/in/a.txt"], settings)) == [f"{url}/in/a.txt"]
    assert names(inputs_of([f"{url}/in/"], settings)) == [f"{url}/in/a.txt", f"{url}/in/b/1.txt"]
    assert names(inputs_of([f"{url}/in"], settings)) == [f"{url}/in/a.txt", f"{url}/in/b/1.txt"]
    assert names(inputs_of([url], settings)) == [
        f"{url}/in/a.txt",
        f"{url}/in/b/1.txt",
        f"{url}/inner.txt",
    ]
    assert [one.place.read(one.key) for one in inputs_of([f"{url}/in"], settings)] == [
        b"in/a.txt",
        b"in/b/1.txt",
    ]
    assert [one.size for one in inputs_of([f"{url}/in", f"{url}/in/b/1.txt"], settings)] == [8, 10]


def test_files_and_objects_come_in_the_order_that_they_are_named(held, tmp_path):
    (tmp_path / "a.txt").write_text("x")

    mixed = inputs_of([f"{held}/inner.txt", str(tmp_path), f"{held}/in/b"], dict(held.settings))

    assert names(mixed) == [f"{held}/inner.txt", f"{tmp_path}/a.txt", f"{held}/in/b/1.txt"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{url}/nothing", "{url}/nothing: no such object, and none under this prefix"),
        (
            "s3://no-such-bucket/a",
            (
                "s3://no-such-bucket/a: the service answers 404 Not Found: NoSuchBucket: The"
                " specified bucket does not exist"
            ),
        ),
        (
            "ftp://host/a",
            (
                "ftp://host: expected a folder, or a URL such as s3://bucket/lake,"
                " gs://bucket/lake, az://bucket/lake"
            ),
        ),
    ],
)
def test_what_is_not_there_is_named(held, text, said):
    with pytest.raises(SnapshotError) as failure:
        inputs_of([text.format(url=held)], dict(held.settings))

    assert str(failure.value) == said.format(url=held)
