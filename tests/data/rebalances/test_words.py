"""The words for causes: the documentation has each of them."""

import re
from pathlib import Path

from evenkeel.data.rebalances.words import CAUSES

TEXT = (Path(__file__).parents[3] / "docs/rebalances.md").read_text()


def test_the_table_of_causes_has_every_cause_with_the_words_of_pages_and_tables():
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| .+ \|$",
        TEXT.split("| cause | words |")[1].split("\n\n")[0],
        re.MULTILINE,
    )

    told = [
        (cause, word)
        for causes, words in rows
        for cause, word in zip(causes.split(", "), words.split(", "), strict=False)
    ]

    assert {cause.strip("`"): word for cause, word in told if cause.startswith("`")} == {
        cause: words.short for cause, words in CAUSES.items() if cause != "restarted"
    }
    assert [word for cause, word in told if cause == "both"] == [CAUSES["restarted"].short]
