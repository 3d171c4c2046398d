"""Short names of members."""

from evenkeel.data.text import names


def test_four_characters_stay_of_a_uuid_at_the_end():
    assert (
        names.without_uuid("consumer-pay-1-6ba7b810-9dad-11d1-80b4-00c04fd430c8")
        == "consumer-pay-1-6ba7"
    )
    assert names.without_uuid("pay-a-0f3c") == "pay-a-0f3c"


def test_a_client_id_that_only_one_member_has_stands_for_it():
    assert names.member_labels(["pay-a-0f3c", "pay-b-7ac2"], ["pay-a", "pay-b"]) == (
        "pay-a",
        "pay-b",
    )


def test_members_that_share_a_client_id_or_have_none_keep_their_member_id():
    assert names.member_labels(["pay-1", "pay-2", "x"], ["pay", "pay", None]) == (
        "pay-1",
        "pay-2",
        "x",
    )


def test_a_client_id_that_is_another_members_id_is_not_used():
    assert names.member_labels(["a", "b"], ["b", "c"]) == ("a", "c")


def test_a_long_name_keeps_its_tail_from_a_separator_on():
    assert names.elided("ingest-eu-west-1-0631", 14) == "…west-1-0631"
    assert names.elided("x" * 30, 10) == "…" + "x" * 9
    assert names.elided("pay-eu-01", 14) == "pay-eu-01"
