"""Faults of an input, as pages and commands say them."""

import json

from evenkeel.data.commands.main import main
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic
from evenkeel.data.scenarios.input_faults import about_input

TOPICS = [Topic("t", [Partition(lag=10), Partition(lag=90)])]


def faults(generation, topics=TOPICS, **facts) -> list[str]:
    members = [
        Member("a", ["t"], owned={"t": [0, 1]}, generation=generation),
        Member("b", ["t"], owned={"t": [1]}, generation=5),
    ]
    document = Document(format=FORMAT, group_id="g", topics=topics, members=members, **facts)
    return about_input(observed_from_document(document))


def test_a_contested_partition_is_told_and_a_stale_claim_does_not_count():
    assert faults(5) == ["t-1 is claimed by a and b."]
    assert faults(4) == [
        "t-1 is claimed by a and b; the claim of a is of an older generation and does not count."
    ]
    assert faults(4, type="share") == []


def test_a_topic_to_which_nobody_subscribes_is_told_with_its_records():
    topics = [*TOPICS, Topic("u", [Partition(lag=7)])]

    assert faults(5, topics)[0] == "u: no member subscribes to its 1 partition with 7 records."


def test_commands_say_what_pages_say(tmp_path, capsys):
    path = tmp_path / "contested.json"
    members = [
        {"member_id": name, "subscribed": ["t"], "owned": {"t": [0]}, "generation": generation}
        for name, generation in (("a", 4), ("b", 5))
    ]
    document = {"format": FORMAT, "topics": [{"name": "t", "partitions": 1}], "members": members}
    path.write_text(json.dumps(document))
    sentence = (
        "t-0 is claimed by a and b; the claim of a is of an older generation and does not count."
    )

    assert main(["diagnose", str(path)]) == 0
    assert f"Input: {sentence}\n" in capsys.readouterr().out
    assert main(["compare", str(path)]) == 0
    assert f"input: {sentence}\n" in capsys.readouterr().out
