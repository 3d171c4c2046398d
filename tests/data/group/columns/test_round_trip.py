import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evenkeel.data.group.columns import (
    document_of,
    group_keys,
    observed_from_document,
    observed_from_tables,
)
from evenkeel.data.group.document import decode
from evenkeel.data.sources import documents as source
from tests.data.group.columns.observed import plain
from tests.generated.small_documents import DOCUMENTS, EXAMPLE, document


@settings(max_examples=60)
@given(DOCUMENTS)
def test_a_document_that_is_written_again_is_the_same_group(written):
    observed = observed_from_document(decode(json.dumps(written)))

    again = document_of(observed)

    assert plain(observed_from_document(decode(json.dumps(again)))) == plain(observed)


@settings(max_examples=60)
@given(st.lists(DOCUMENTS, min_size=1, max_size=3))
@example(
    [
        document({"t": [{}]})
        | {"members": [{"member_id": "A", "subscribed": [], "current": {"t": [0]}}]}
    ]
)
def test_the_rows_of_a_document_are_the_same_group_whatever_stands_beside_it(written):
    for place, one in enumerate(written):
        one["group_id"] = f"g{place}"
    text = b"\n".join(json.dumps(one).encode() for one in written)

    parsed = source.parse(text, "groups.jsonl")

    tables = (parsed.offsets, parsed.members, parsed.topics)
    assert [key.group_id for key in sorted(group_keys(*tables))] == [
        f"g{place}" for place in range(len(written))
    ]
    for one in written:
        assert plain(observed_from_tables(*tables, one["group_id"])) == plain(
            observed_from_document(decode(json.dumps(one)))
        )


def test_a_document_is_written_with_every_required_key_and_without_what_is_not_known():
    written = document_of(
        observed_from_document(
            decode(
                json.dumps(
                    {
                        "format": "evenkeel.group/1",
                        "topics": [{"name": "t", "partitions": [{}, {"racks": []}]}],
                    }
                )
            )
        )
    )

    assert written == {
        "format": "evenkeel.group/1",
        "group_id": None,
        "assumed": [],
        "topics": [{"name": "t", "partitions": 2}],
        "members": [],
    }


def test_the_example_of_the_contract_is_written_as_it_was():
    without_null = json.loads(json.dumps(EXAMPLE))
    del without_null["topics"][0]["partitions"][1]["committed_offset"]
    for key in ("instance_id", "rack"):
        del without_null["members"][0][key]

    assert document_of(observed_from_document(decode(json.dumps(EXAMPLE)))) == without_null


def test_what_a_member_owns_is_not_written_where_nobody_knows_it():
    members = [
        {"member_id": "A", "subscribed": ["t"]},
        {"member_id": "B", "subscribed": ["t"], "owned": {}},
    ]
    one = {
        "format": "evenkeel.group/1",
        "group_id": None,
        "topics": [{"name": "t", "partitions": 2}],
        "members": members,
    }

    written = document_of(observed_from_document(decode(json.dumps(one))))

    assert written == one | {"assumed": ["members[0].owned"]}
