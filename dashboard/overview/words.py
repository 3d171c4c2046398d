"""Words of the page: how certain the finding is, names of remedies, and which remedy fits the
result of a later reading.

The sentences of findings are in the diagnosis.
"""

from evenkeel.assignors.diagnosis.finding import Certainty, Code
from evenkeel.dashboard.parts import past_words
from evenkeel.data.diagnosis.answer import Answer
from evenkeel.data.text.formats import counted, times

LATER = "Add a later reading"
READ_AGAIN = "Read again"
LATER_READING = "A later reading"
NOTHING_TO_DO = "Nothing to do."
UPLOAD_TIMES = "Some times are upload times, so only the last reading counts."


def evidence(
    answer: Answer, settles: str | None, readings: int, apart: float | None = None
) -> tuple[str, str]:
    """Return the certainty of the headline, as a word and as a sentence.

    `settles`: evidence that would make the headline certain. `readings`: number of readings in the
    upload. `apart`: seconds from the first to the last reading, None if a reading has only an
    upload time.
    """
    headline, earlier = answer.headline, answer.case.earlier
    if headline.since is not None:
        text = "The history of the group shows it."
    elif earlier is not None:
        text = f"Two readings, {earlier.seconds:,.0f} s apart."
    elif answer.readings.earlier is not None:
        text = f"Readings that are {answer.readings.seconds:,.0f} s apart count as one reading."
    elif apart:
        text = f"Readings that are {apart:,.0f} s apart count as one reading."
    elif readings > 1:
        text, settles = UPLOAD_TIMES, settles and "the times of both"
    elif answer.readings.growth is not None:
        text = "The readings have no times: they show records, not rates."
    elif headline.certainty == Certainty.CERTAIN:
        text = "One reading is enough for this."
    else:
        text = "One reading shows where records wait, not whether they move."
    return f"{answer.how_sure}.", f"{text} To settle it: {settles}." if settles else text


_NAMES = {
    "nothing": "Do nothing",
    "read_again": READ_AGAIN,
    "look": "Look for the cause",
    "setting": "A setting",
    "start": "Start its consumers",
    "rebalance": "Rebalance",
    "add_members": "More members",
    "switch": "Another assignor",
    "best_plan": "Best plan",
    "more_partitions": "More partitions",
    "skip": "Skip the record",
}


def remedy(action: str, assignor: str | None, count: int | None, subject: str) -> str:
    """Return the name of a remedy. `subject`: names of the members that the remedy is for."""
    if action == "restart":
        return f"Restart {subject}"
    if action == "look" and subject:
        return f"Look at {subject}"
    if action == "switch" and assignor:
        return assignor
    if action == "add_members" and count:
        return counted(count, "more member")
    return _NAMES[action]


_MOVES_FAST = "if its commits move faster than records arrive"
_MEANINGS = {
    (Code.SILENT_MEMBER, "nothing"): _MOVES_FAST,
    (Code.SILENT_MEMBER, "restart"): "if its commits do not move",
    (Code.ONE_PARTITION, "nothing"): _MOVES_FAST,
    (Code.ONE_PARTITION, "skip"): "if its commits do not move: one record may be the cause",
    (Code.BEHIND, "nothing"): "if the lag falls",
    (Code.BEHIND, "add_members"): "if the lag does not fall",
    (Code.BEHIND, "more_partitions"): "if the lag does not fall; keys move",
    (Code.UNEVEN, "nothing"): "if the lag falls",
    (Code.UNEVEN, "switch"): "if the worst member stays behind",
    (Code.LAGGING, "nothing"): "if the lag falls",
    (Code.REBALANCING, "nothing"): "if the rebalance has ended",
}


def meaning(code: Code, action: str, why: str) -> str:
    """Return the condition for the remedy `action`, such as `if the lag falls`: a later reading
    shows whether it holds. If no condition is known, return `why`.
    """
    return _MEANINGS.get((code, action), why)


def price(moves: int | None, paused: int | None, restarts: float | None) -> str:
    """Return the price of a remedy: `all restart twice, 5 move, 3 pause`.

    `restarts`: number of times that every member restarts.
    """
    parts = [f"all restart {times(int(restarts))}"] if restarts else []
    parts += [f"{moves:,} {'moves' if moves == 1 else 'move'}"] if moves else []
    parts += [f"{paused:,} {'pauses' if paused == 1 else 'pause'}"] if paused else []
    return ", ".join(parts)


def even(counts: list[int]) -> str:
    """Return a sentence on the number of partitions of each member, for a fine group."""
    least, most = min(counts), max(counts)
    if least == most:
        return f"Even: every member has {counted(most, 'partition')}."
    return f"Members have {least:,} to {counted(most, 'partition')}."


def since(start: float, now: float, is_least: bool) -> str:
    """Return the start of a finding: `Since 13:31.`"""
    return f"Since {past_words.since(start, now)}{' or earlier' if is_least else ''}."


def role(code: Code) -> str:
    """Return the words before the name of a member that the sentence does not name, such as `Read
    by`.
    """
    return _ROLES.get(code, "Owned by")


_ROLES = {Code.UNEVEN: "Also", Code.BEHIND: "Member"} | dict.fromkeys(
    (Code.ONE_PARTITION, Code.HOT_PARTITION, Code.STUCK), "Read by"
)


def movement(offsets: list[int], is_end: bool) -> str:
    """Return in words how an offset changed between two readings."""
    before, now = offsets
    if now == before:
        return "stays" if is_end else "does not move"
    if now < before:
        return "fell"
    return "grows" if is_end else "moves"
