"""Names of members and partitions as the pages show them."""

import re
from collections.abc import Sequence
from os.path import commonprefix

NO_OWNER = "unassigned"
"""The owner of a partition without one."""

UNDER = "under"
"""The word before an assignor's name; `with lag` would read as a member that lags."""

WORD_JOINER = "\u2060"
# Streamlit makes links of addresses after it removes escapes, unless another character than a letter follows these.
_LINK = re.compile(r"://|\bwww(?=\.)|@", re.IGNORECASE)
# It also makes signs of these after it removes escapes: arrows, dashes, symbols and logos.
_SIGN = re.compile(r"(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)|(?<=:)(?=material/|streamlit:)")
_ENTITY = re.compile(r"&(?=#|\w)")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!:|~$>-])")
_MARKDOWN_IN_A_LINE = re.compile(r"([\\`*\[\]~$]|(?<![^\W_])_|_(?![^\W_])|:(?!\s|$)|^[-+#>])")
_LIST_NUMBER = re.compile(r"^(\d+)(?=[.)])")
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def under(name: str) -> str:
    """`under “lag”`: for texts that cannot show the name as code."""
    return f"{UNDER} “{name}”"


def abbreviated(name: str) -> str:
    """`coop.-sticky`: an assignor's name for figures, where the table beside them has the whole name."""
    return name.replace("cooperative", "coop.")


def without_common_prefix(names: Sequence[str]) -> tuple[str, ...]:
    """Cut the common prefix of all names up to its last separator; narrow columns then differ."""
    shared = commonprefix(list(names)) if len(names) > 1 else ""
    cut = max((shared.rfind(mark) for mark in "-._/: "), default=-1) + 1
    return tuple(name[cut:] or name for name in names)


def literal(text: str) -> str:
    """Escape a text for Streamlit's Markdown and break its links: names come from listings and may contain any mark-up."""
    return _MARKDOWN.sub(r"\\\1", _unlinked(text)).replace("<", "&lt;")


def in_label(text: str) -> str:
    """Do the same with as few escapes as a line needs: Streamlit gives a checkbox this very text as its name for screen readers."""
    return _LIST_NUMBER.sub(r"\1\\", _MARKDOWN_IN_A_LINE.sub(r"\\\1", _unlinked(text))).replace("<", "&lt;")


def _unlinked(text: str) -> str:
    unlinked = _LINK.sub(rf"\g<0>{WORD_JOINER}", visible(text).replace("\n", " "))
    return _ENTITY.sub("&amp;", _SIGN.sub(WORD_JOINER, unlinked))


def in_badge(text: str) -> str:
    """Do the same for the label of a badge: Streamlit escapes its brackets."""
    return literal(text).replace(r"\[", "[").replace(r"\]", "]")


def visible(text: str) -> str:
    """Write control characters, and those that turn the direction of the text around them, as their code: `\\u202e`."""
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
