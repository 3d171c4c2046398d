"""Whoever leads a classic group assigns it: the badge, the choice of client and release, and what
another leader would answer.
"""

import json

import pytest

TOPICS = [{"name": "t", "partitions": 4}]
KAFKA_PYTHON = {"client": "kafka-python", "certain": True}


def document(leader=None, **members) -> str:
    """A group of members by id, each with more keys of its own."""
    given = [
        {"member_id": name, "subscribed": ["t"], "owned": {"t": []}, **facts}
        for name, facts in members.items()
    ]
    group = {
        "format": "evenkeel.group/1",
        "group_id": "g",
        "type": "classic",
        "topics": TOPICS,
        "members": given,
    }
    return json.dumps(group | ({"leader": leader} if leader else {}))


STATIC_BETWEEN = {"c": {}, "a": {"instance_id": "i"}, "b": {"owned": {"t": [0, 1, 2, 3]}}}
"""kafka-python's range leaves out `c`: a static member stands between the dynamic ones."""


def badges(page) -> dict[str, str]:
    chips = [element.proto.popover for element in page.app.get("popover")]
    return {chip.label: chip.help for chip in chips if "led by" in chip.label}


def choose(page, candidate: str) -> None:
    page.app.selectbox(key="candidate").set_value(candidate).run()


def shown(page) -> str:
    return page.app.selectbox(key="kafka").value


def test_a_group_begins_with_the_client_that_leads_it_and_the_address_says_another_choice(page):
    page.paste(document(KAFKA_PYTHON, **STATIC_BETWEEN)).open("compare")
    choose(page, "range")

    ((label, meaning),) = badges(page).items()
    assert "led by kafka-python" in label
    assert "The leader of this group is a client of kafka-python" in meaning
    assert (shown(page), "kafka" in page.address) == ("kafka-python", False)
    assert page.table["range"][1] == "2 / 0"

    page.app.selectbox(key="kafka").set_value("4.3.1").run()

    assert page.address["kafka"] == "4.3.1"
    assert page.table["range"][1] == "2 / 1"
    assert list(badges(page)) == ["led by Java, chosen"]


def test_an_input_that_does_not_say_who_leads_assumes_java_and_can_be_changed(page):
    page.paste(document(**STATIC_BETWEEN)).open("compare")
    choose(page, "range")

    ((label, meaning),) = badges(page).items()
    assert "led by Java, assumed" in label
    assert "If the members use another client, choose it above." in meaning
    assert (shown(page), page.table["range"][1]) == ("4.3.1", "2 / 1")

    page.app.selectbox(key="kafka").set_value("kafka-python").run()

    assert (page.address["kafka"], page.table["range"][1]) == ("kafka-python", "2 / 0")
    ((label, meaning),) = badges(page).items()
    assert "led by kafka-python, chosen" in label
    assert (
        "kafka-python is chosen. The input does not show the leader's client. The answers follow"
        " the code of kafka-python 3" in meaning
    )


def test_a_row_that_the_client_does_not_offer_says_so_and_is_no_error_of_the_group(page):
    page.paste(document({"client": "kafka-go", "certain": True}, a={}, b={})).open("compare")
    choose(page, "sticky")

    (row,) = [row for row in page.rows if row["name"] == "sticky"]
    assert (row["error"], row["isGap"]) == (
        "kafka-go has no sticky assignor; it offers range, roundrobin",
        True,
    )
    assert not page.errors
    assert not any("sticky" in names for names in page.remarks)


def test_an_assignor_whose_answers_no_input_decides_says_why(page):
    page.paste(document({"client": "sarama", "certain": True}, a={}, b={})).open("compare")
    choose(page, "sticky")

    (row,) = [row for row in page.rows if row["name"] == "sticky"]
    assert (row["error"], row["isGap"]) == (
        "sticky of sarama is not a function of the inputs: it iterates over Go maps, whose order is"
        " random",
        True,
    )
    assert not page.errors


def test_the_same_group_under_java_stands_beside_the_leaders_answer(page):
    page.paste(document(KAFKA_PYTHON, **STATIC_BETWEEN)).open("compare")
    choose(page, "range")

    assert "If Java led, 1 partition of range would have another owner" in [
        box.label for box in page.app.expander
    ]


def test_members_of_several_clients_are_said_with_what_each_possible_leader_would_answer(page):
    members = {
        "a": {"client_id": "kafkajs"},
        "b": {"client_id": "consumer-g-1", "owned": {"t": [0]}},
        "c": {"client_id": "payments"},
    }
    page.paste(document({"client": "java", "certain": True}, **members)).open("compare")
    choose(page, "sticky")

    assert any("led by Java · mixed" in label for label in badges(page))
    assert "The members use Java and kafkajs: the code of the leader's client assigns." in next(
        iter(badges(page).values())
    )
    assert "If kafkajs led: kafkajs has no sticky assignor" in page.html


@pytest.mark.parametrize(("kind", "count"), [("consumer", 0), ("classic", 1)])
def test_a_group_that_the_broker_assigns_has_no_leader(page, kind, count):
    page.paste(document(a={}).replace("classic", kind)).open("compare")

    assert len(badges(page)) == count


def test_moves_and_what_if_ask_the_leaders_code_too(page):
    page.paste(document(KAFKA_PYTHON, **STATIC_BETWEEN)).open("moves")
    choose(page, "range")
    assert page.kpis["Moved"] == "2"

    page.open("whatif")
    assert "The answers follow the code of kafka-python 3, which assigns this group." in page.html


def crashing(**facts) -> str:
    """The smallest group that kills librdkafka's leader."""
    group = (
        json.loads(document({"client": "librdkafka", "certain": True}, a={}, b={}, c={})) | facts
    )
    group["topics"] = [{"name": "t", "partitions": 6}, {"name": "u", "partitions": 8}]
    for member, topics in zip(group["members"], (["t"], ["t", "u"], ["t", "u"]), strict=True):
        member |= {
            "subscribed": topics,
            "owned": {"t": [*range(6)], "u": [*range(8)]} if member["member_id"] == "b" else {},
            "generation": 3,
        }
    return json.dumps(group)


def test_a_row_that_kills_the_leader_says_so_and_how_to_get_out_of_it(page):
    page.paste(crashing(assignor="cooperative-sticky")).open("compare")
    choose(page, "cooperative-sticky")

    (row,) = [row for row in page.rows if row["name"] == "cooperative-sticky"]
    assert row["error"].startswith("the leader dies")
    assert "isGap" not in row
    assert page.errors[0].startswith("cooperative-sticky: the leader dies")
    (remark,) = [said for names, said in page.remarks.items() if "cooperative-sticky" in names]
    assert remark[1] == "Every next leader with the same client dies too: behaviour Q-33."
    boxes = [box.label for box in page.app.expander]
    assert "How to get out of cooperative\\-sticky" in boxes
    assert "Kafka's behaviour Q-3 and Q-33: meaning and remedy" in boxes
    assert (
        "If Java led, 9 partitions of cooperative-sticky would have another owner than now" in boxes
    )


def test_an_assignor_that_kills_the_leader_is_no_candidate_that_the_page_chooses(page):
    page.paste(crashing()).open("compare")

    assert page.app.selectbox(key="candidate").value != "cooperative-sticky"
