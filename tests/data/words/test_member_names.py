"""Short names of members."""

from data.words.member_names import without_uuid


def test_four_characters_stay_of_a_uuid_at_the_end():
    assert without_uuid("consumer-pay-1-6ba7b810-9dad-11d1-80b4-00c04fd430c8") == "consumer-pay-1-6ba7"
    assert without_uuid("pay-a-0f3c") == "pay-a-0f3c"
