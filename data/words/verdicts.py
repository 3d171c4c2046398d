"""What people see of a verdict: why a partition has it, how grave it looks, and its marks."""

from typing import NamedTuple


class VerdictWords(NamedTuple):
    """`reason`: why a partition has the verdict. `tone`: fine, warn or bad.

    `mark`: a character; `icon`: a name of Material Symbols; `drawing`: path of SVG in a box of 12 by 12. `has_owner`: the sentence of an
    event names the owners, who answer for it.
    """

    reason: str
    tone: str
    mark: str
    icon: str
    drawing: str
    has_owner: bool = False


WORDS = {
    "STOP": VerdictWords("no owner, and no progress", "bad", "⬣", "dangerous", "M4 0H8L12 4V8L8 12H4L0 8V4Z"),
    "STALL": VerdictWords("an owner, and no progress", "bad", "❚❚", "pause", "M1.5 1H4.5V11H1.5ZM7.5 1H10.5V11H7.5Z", has_owner=True),
    "REWIND": VerdictWords("the committed offset went back", "warn", "◀◀", "fast_rewind", "M6 1V11L0 6ZM12 1V11L6 6Z"),
    "SLOW": VerdictWords("lag does not fall", "warn", "▲", "warning", "M6 0.8L12 11.2H0Z"),
    "OK": VerdictWords(
        "lag was 0, or fell, in the last observations", "fine", "✓", "check", "M0.8 6.6L2.3 5.1L4.6 7.4L9.7 2.2L11.2 3.7L4.6 10.4Z"
    ),
}
"""By name; the order and the rules are in `assignors/history/verdicts.py`."""
