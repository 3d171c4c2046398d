"""The S3 service of the tests does what a lake needs."""


def test_of_two_writers_of_one_object_one_creates_it(bucket):
    assert [bucket.create("manifests/b.json", data) for data in (b"one", b"other", b"one")] == [
        True,
        False,
        True,
    ]
    assert bucket.read("manifests/b.json") == b"one"


def test_every_test_has_an_empty_bucket(bucket):
    assert bucket.found() == []
