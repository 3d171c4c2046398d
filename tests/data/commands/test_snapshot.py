import io
import json
import subprocess
import sys

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.group.document import decode
from tests.generated.small_documents import EXAMPLE

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
LISTING = "\n".join([HEADER, "payments t 0 5 9 4 m /h c", "other t 0 - 9 - - - -", ""])
UNNAMED = (
    "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nt 0 5 9 4 m"
    " /h c\n"
)


@pytest.fixture
def written(tmp_path, capsys):
    """Return a function (text, options) -> the documents that come out."""

    def run(text: str, *options: str) -> list[dict]:
        path = tmp_path / "input"
        path.write_text(text)
        assert main(["snapshot", str(path), *options]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_each_group_becomes_a_document_with_every_required_key(written):
    documents = written(LISTING)

    assert documents == [
        {
            "format": "evenkeel.group/1",
            "group_id": "payments",
            "assumed": ["members", "members[*].subscribed", "topics[0].partitions"],
            "topics": [{"name": "t", "partitions": [{"end_offset": 9, "committed_offset": 5}]}],
            "members": [
                {
                    "member_id": "m",
                    "subscribed": ["t"],
                    "client_id": "c",
                    "host": "/h",
                    "owned": {"t": [0]},
                }
            ],
        },
        {
            "format": "evenkeel.group/1",
            "group_id": "other",
            "assumed": ["members", "topics[0].partitions"],
            "topics": [{"name": "t", "partitions": [{"end_offset": 9}]}],
            "members": [],
        },
    ]


def test_groups_are_chosen_by_name(written):
    assert [document["group_id"] for document in written(LISTING, "--group", "other")] == ["other"]
    assert [
        document["group_id"] for document in written(LISTING, "--group", "other", "payments")
    ] == ["payments", "other"]
    assert [
        document["group_id"]
        for document in written(LISTING, "--group", "other", "--group", "payments")
    ] == ["payments", "other"]


def test_a_listing_without_a_group_gives_null_or_the_name_that_is_asked_for(written):
    assert [document["group_id"] for document in written(UNNAMED)] == [None]
    assert [document["group_id"] for document in written(UNNAMED, "--group", "mine")] == ["mine"]


def test_a_document_comes_out_as_it_went_in(written):
    assert decode(json.dumps(written(json.dumps(EXAMPLE))[0])) == decode(json.dumps(EXAMPLE))


def test_a_document_is_read_again(written):
    first = written(LISTING)

    assert written("\n".join(map(json.dumps, first))) == first


def test_a_dash_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LISTING.encode())))

    assert main(["snapshot", "-", "--group", "payments"]) == 0
    assert json.loads(capsys.readouterr().out)["group_id"] == "payments"


def test_a_folder_is_all_files_in_it(tmp_path, capsys):
    (tmp_path / "a.txt").write_text(LISTING)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.json").write_text(json.dumps(EXAMPLE | {"group_id": "third"}))

    assert main(["snapshot", str(tmp_path)]) == 0
    assert sorted(
        json.loads(line)["group_id"] for line in capsys.readouterr().out.splitlines()
    ) == ["other", "payments", "third"]


def test_it_starts_neither_java_nor_spark():
    code = (
        "import sys; from evenkeel.data.commands.main import main; main(['snapshot',"
        " 'data/sources/examples/samples/lag-aware.json']); print([name for name in ('pyspark',"
        " 'py4j') if name in sys.modules])"
    )

    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.endswith("[]\n")
