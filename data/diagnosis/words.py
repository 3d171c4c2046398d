"""The texts for each cause: sentence, advice, commands to look and to act, and a short form."""

from dataclasses import replace

from evenkeel.assignors.diagnosis.finding import Code, Finding, Settles
from evenkeel.data.diagnosis import words_over_time
from evenkeel.data.diagnosis.advices import (
    compare_with_others,
    faster_or_more,
    fewer_partitions,
    later_reading,
    look_at,
    readable,
    rest,
    restart_or_look,
    switch,
)
from evenkeel.data.diagnosis.phrases import (
    MOST_NAMES,
    WIDEST_NAME,
    Names,
    Telling,
    Words,
)
from evenkeel.data.diagnosis.sentences import SENTENCES
from evenkeel.data.diagnosis.shell_commands import (
    describe,
    ends,
    forgotten_topic,
    logs,
    record,
    restart,
)
from evenkeel.data.text.formats import number

MOST_SIGNS = 160
"""Most characters of a sentence or an advice."""

RECOVERS = "catches up after a restart"

_SETTLES = {
    Settles.LATER_READING: "a second reading, 60 s later",
    Settles.STATE: "the state of the group",
    Settles.ALL_ROWS: "the input with all its rows",
    Settles.NOTHING: None,
}

_ANOTHER = "another reading, 60 s later"
"""The deciding evidence if there are already two readings."""

SAID_BY = {
    "unread_lag": (Code.UNREAD, Code.DOWN, Code.REBALANCING),
    "empty_group": (Code.DOWN,),
    "rebalancing": (Code.REBALANCING,),
    "unknown_commits": (Code.UNCOMMITTED, Code.UNKNOWN),
}
"""Findings with the same meaning as a note about the input, by the note's code."""

_SIZES = ((WIDEST_NAME, MOST_NAMES), (WIDEST_NAME, 2), (WIDEST_NAME, 1), (24, 1), (16, 1), (10, 1))
"""Width and number of names, from most to least; the first text that fits is used."""


def settles(finding: Finding, *, is_one_reading: bool) -> str | None:
    """Return what the reader must provide to make a finding certain; None if it is certain."""
    is_another = finding.settles == Settles.LATER_READING and not is_one_reading
    return _ANOTHER if is_another else _SETTLES[finding.settles]


def words_of(finding: Finding) -> Words:
    """Return the words of a finding."""
    if words_over_time.OVER_TIME in finding.detail:
        return words_over_time.WORDS[finding.code]
    words = WORDS[finding.code]
    has_moved = finding.code == Code.ONE_PARTITION and finding.detail["readings"] == 2
    return words._replace(short=WORDS[Code.LAGGING].short) if has_moved else words


def sentence(finding: Finding, names: Names) -> str:
    """Return the sentence of a finding; names are shortened to keep it within 160 characters."""
    return _fitted(words_of(finding).sentence, finding, names)


def advice(finding: Finding, names: Names) -> str:
    """Return the advice of a finding."""
    return _fitted(words_of(finding).advice, finding, names)


def _fitted(telling: Telling, finding: Finding, names: Names) -> str:
    text = ""
    for width, most in _SIZES:
        is_as_given = (width, most) == (names.width, names.most)
        text = telling(finding, names if is_as_given else replace(names, width=width, most=most))
        text = text[:1].upper() + text[1:] if text.startswith("the group") else text
        if len(text) <= MOST_SIGNS:
            break
    return text


def _always(text: str) -> Telling:
    return lambda finding, names: text


WORDS = words_over_time.WORDS | {
    Code.DOWN: Words(
        "No member",
        SENTENCES[Code.DOWN],
        _always("Start its consumers, or find out why all of them have stopped."),
        describe("--state"),
    ),
    Code.REBALANCING: Words(
        "Rebalances",
        SENTENCES[Code.REBALANCING],
        _always("Read again in a minute. If it still rebalances, see who makes it."),
        describe("--state"),
    ),
    Code.PAST_END: Words(
        "Past the end",
        SENTENCES[Code.PAST_END],
        lambda finding, names: (
            f"Find out whether {names.topic_of(finding.tps[0])} was recreated: "
            "auto.offset.reset decides where its owner goes on."
        ),
        ends,
    ),
    Code.UNREAD: Words(
        "No owner",
        SENTENCES[Code.UNREAD],
        _always("See who should read it: a wrong subscription, or a rebalance that has not ended."),
        describe("--members --verbose"),
    ),
    Code.STALLED: Words(
        "Reads nothing",
        SENTENCES[Code.STALLED],
        restart_or_look,
        logs,
        restart,
    ),
    Code.STUCK: Words(
        "Stuck",
        SENTENCES[Code.STUCK],
        lambda finding, names: (
            f"Look at the record at offset {finding.figures['committed']:,} of "
            f"{names.partition(finding.tps[0])}, skip it only knowingly."
        ),
        record,
    ),
    Code.REWOUND: Words(
        "Rewound",
        SENTENCES[Code.REWOUND],
        _always("Find out who reset the offsets, or which member committed an old position."),
        describe(),
    ),
    Code.SILENT_MEMBER: Words("Stuck or slow?", SENTENCES[Code.SILENT_MEMBER], look_at, logs),
    Code.SLOW_MEMBER: Words("Too slow", SENTENCES[Code.SLOW_MEMBER], compare_with_others, logs),
    Code.ONE_PARTITION: Words(
        "Stuck or hot?",
        SENTENCES[Code.ONE_PARTITION],
        later_reading,
        record,
    ),
    Code.HOT_PARTITION: Words(
        "Hot",
        SENTENCES[Code.HOT_PARTITION],
        _always(
            "Find the key with the most records, and split it. Waiting records stay in their"
            " partition."
        ),
        record,
    ),
    Code.UNCOMMITTED: Words(
        "No commit",
        SENTENCES[Code.UNCOMMITTED],
        lambda finding, names: (
            "Set auto.offset.reset knowingly: latest skips up to"
            f" {number(finding.figures['at_most'])}, earliest reads them."
        ),
        describe(),
    ),
    Code.BEHIND: Words("Too slow", SENTENCES[Code.BEHIND], faster_or_more),
    Code.UNEVEN: Words("Uneven", SENTENCES[Code.UNEVEN], switch),
    Code.LAGGING: Words("Behind", SENTENCES[Code.LAGGING], fewer_partitions, describe()),
    Code.LEFT: Words(
        "Left",
        SENTENCES[Code.LEFT],
        _always("Nothing to do: commits of a topic without subscribers expire."),
        describe(),
        forgotten_topic,
    ),
    Code.UNKNOWN: Words(
        "Unknown",
        SENTENCES[Code.UNKNOWN],
        readable,
        describe(),
    ),
    Code.FINE: Words("Fine", SENTENCES[Code.FINE], rest),
    Code.IDLE: Words(
        "Idle",
        SENTENCES[Code.IDLE],
        _always("They have nothing to read: fewer members are enough."),
    ),
}
"""By code."""
