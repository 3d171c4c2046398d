"""What stops a page, in one line: bad input, a group without members or owners."""

import re
import shlex

import streamlit as st

from dashboard.view import View
from dashboard.words.names import literal
from data.words.lists import first_of

_OWNED = re.compile(r"members\[(\d+)\]\.owned")
_MOST_NAMES = 5
_DESCRIBE = "kafka-consumer-groups.sh --bootstrap-server … --describe"
DESCRIBE = f"{_DESCRIBE} --group …"


def show(text: str) -> None:
    """Draw an error letter by letter: it may quote anything that stood in the input."""
    st.error(literal(text))


def show_no_group(missing_header: str | None, number: str | None = None) -> bool:
    """Say that nothing in the input is about a group, or that rows lack their header or a number is none, and what to do next; False: there is nothing to compare."""
    if number:
        st.info(literal(f"Number not understood, {number}."))
        return False
    if missing_header:
        st.info("The header line is missing: these rows are from the middle of a listing. Put this line above them and read them again:")
        st.code(missing_header, language=None)
        return False
    st.info("Nothing in here is about a consumer group. Print one, and paste or upload everything that comes out:")
    st.code(DESCRIBE, language=None)
    return False


def show_named_alone(group_id: str | None) -> None:
    """Say that a list of groups says nothing else of a group, and which listings do."""
    st.info("This input lists the group without its lag, members and partitions. Print them, and paste or upload everything that comes out:")
    name = "…" if group_id is None else shlex.quote(group_id)
    st.code("\n".join(f"{command} --group {name}" for command in (_DESCRIBE, f"{_DESCRIBE} --members --verbose")), language=None)


def require_members(view: View) -> None:
    """Stop where there is nobody to give partitions to, and say which input has members."""
    if not view.names:
        st.info("This input names no members, so no partition can be assigned. Add what `--describe` prints while the group runs, or `--describe --members`.")
        st.stop()


def require_partitions(view: View) -> None:
    """Stop where there is nothing to give out, and say which listing has it."""
    if not view.comparison.group.tp_count:
        st.info("This input names members but no partitions, so there is nothing to assign. Add what this command prints:")
        st.code(DESCRIBE, language=None)
        st.stop()


def warn_of_unlisted(view: View) -> None:
    """Warn of members that are known to hold partitions while nobody says which: the figures are without them."""
    names = [literal(view.names[int(path[1])]) for path in map(_OWNED.fullmatch, view.observed.assumed) if path]
    if names and view.comparison.rows[0].assignment is not None:
        st.warning(
            f"{', '.join(first_of(names, _MOST_NAMES))}: not idle. The input gives the number of their partitions but not which ones, so the charts of current leave them out. "
            "Add what `--describe` or `--describe --members --verbose` prints at the same moment."
        )


def require_owners(view: View) -> None:
    """Stop where nobody knows who owns what, and say which input does."""
    if view.comparison.rows[0].assignment is None:
        st.info("This input does not show the current owners, so there are no moves to show. Add what `--describe` or `--describe --members --verbose` prints.")
        st.stop()
