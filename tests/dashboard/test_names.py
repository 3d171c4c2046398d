"""Names of members and partitions."""

import html
import re

import pytest

from evenkeel.dashboard import names


def test_what_all_names_start_with_is_cut_up_to_a_separator():
    assert names.without_common_prefix(["pay-eu-01", "pay-eu-06"]) == ("01", "06")
    assert names.without_common_prefix(["pay", "pay-1"]) == ("pay", "pay-1")
    assert names.without_common_prefix(["alone-1"]) == ("alone-1",)


def test_markdown_and_html_in_a_name_come_out_letter_by_letter():
    assert (
        names.literal("[x](http://e) <b>*a*")
        == rf"\[x\]\(http\://{names.WORD_JOINER}e\) &lt;b\>\*a\*"
    )


@pytest.mark.parametrize(
    "text",
    [
        "orders-0 lags 1,500",
        "pay_eu-01 stops (static)",
        "12 members join: 3 a topic",
        "a + b > c #1 {x} !",
    ],
)
def test_a_label_without_mark_up_stays_as_it_is(text):
    assert names.in_label(text) == text


def test_mark_up_in_a_label_comes_out_letter_by_letter():
    assert (
        names.in_label("*a* _b_ [c](d) `e` ~f~ $g$ :h: \\")
        == r"\*a\* \_b\_ \[c\](d) \`e\` \~f\~ \$g\$ \:h: \\"
    )
    assert names.in_label("__consumer_offsets-0") == r"\_\_consumer_offsets-0"
    assert [names.in_label(text) for text in ("1. a", "- a", "# a", "> a", "<b>")] == [
        r"1\. a",
        r"\- a",
        r"\# a",
        r"\> a",
        "&lt;b>",
    ]


@pytest.mark.parametrize(
    "text", ["a->b", "a<-b", "a--b", "a>=b", "a<=b", "a~=b", ":material/home:", ":streamlit:"]
)
def test_a_name_that_streamlit_would_draw_as_a_sign_is_broken_invisibly(text):
    shown = html.unescape(re.sub(r"\\(.)", r"\1", names.literal(text)))

    assert text not in shown
    assert shown.replace(names.WORD_JOINER, "") == text


def test_an_entity_in_a_name_comes_out_letter_by_letter():
    assert names.literal("a & b &lt; &#60;") == r"a & b &amp;lt; &amp;\#60;"


def test_a_character_that_turns_the_text_around_it_is_written_as_its_code():
    assert names.visible("a\u202eb\x07\x9b\u2066") == r"a\u202eb\u0007\u009b\u2066"
    assert names.visible("two\nlines\tשלום") == "two\nlines\tשלום"


def test_brackets_in_a_badge_are_escaped_once():
    assert names.in_badge("[x] *y*") == r"[x] \*y\*"


def test_labels_that_repeat_are_numbered_and_none_takes_the_number_of_another():
    assert names.numbered({1: "a", 2: "a", 3: "b", 4: "a (2)", 5: "a"}) == {
        1: "a",
        2: "a (2)",
        3: "b",
        4: "a (2) (2)",
        5: "a (3)",
    }
    assert names.numbered({1: "a", 2: "a (2)", 3: "a"}) == {1: "a", 2: "a (2)", 3: "a (3)"}
