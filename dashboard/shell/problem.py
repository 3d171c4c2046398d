"""Problems that stop a page, in one line: bad input, or a group without members or owners."""

import re
import shlex

import streamlit as st

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.assignors.assignment import REQUEST_ERROR, NotKnownError
from evenkeel.assignors.compare.comparison import Row
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell.answer_words import in_words, is_deadly, is_gap, message
from evenkeel.dashboard.shell.loading.uploads import is_rebalancing
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.sources.reading_words import REBALANCED
from evenkeel.data.text.formats import first_of

_OWNED = re.compile(r"members\[([0-9]{1,9})\]\.owned")
_MOST_NAMES = 5
_DESCRIBE = "kafka-consumer-groups.sh --bootstrap-server … --describe"
DESCRIBE = f"{_DESCRIBE} --group …"
_NOT_NAMED = (
    "This input has no members, so no partition can be assigned. Add the output of `--describe`"
    " from a time when the group runs, or of `--describe --members`."
)
_NOT_RUNNING = (
    "No consumer is running: {}this group has no active members. Its lag grows until a consumer"
    " starts."
)


def show(text: str) -> None:
    """Draw an error without Markdown, because it may quote any text of the input."""
    st.error(literal(text))


def show_no_group(missing_header: str | None, number: str | None = None) -> bool:
    """Show why no group can be read, and what to do: a number is unclear, the header is missing, or
    the input has no group. Always return False, because there is nothing to compare.
    """
    if number:
        st.info(literal(f"Number not understood, {number}."))
        return False
    if missing_header:
        st.info(
            "The header line is missing, so these rows are from the middle of a listing. Put"
            " this line above them and read them again:"
        )
        st.code(missing_header, language=None)
        return False
    st.info(
        "This input has no consumer group. Run this command, and paste or upload its whole output:"
    )
    st.code(DESCRIBE, language=None)
    return False


def show_named_alone(group_id: str | None) -> None:
    """Show that the input has only the names of groups, and which commands print more."""
    st.info(
        "This input lists the group without its lag, members and partitions. Run these commands,"
        " and paste or upload their whole output:"
    )
    name = "…" if group_id is None else shlex.quote(group_id)
    st.code(
        "\n".join(
            f"{command} --group {name}"
            for command in (_DESCRIBE, f"{_DESCRIBE} --members --verbose")
        ),
        language=None,
    )


def require_members(view: View) -> None:
    """Stop the page if there are no members. Show that no consumer is running, or which input lists
    the members.
    """
    if not view.names:
        st.info(without_members(view.observed))
        st.stop()


def without_members(observed: ObservedGroup) -> str:
    """Return the sentence that says why there are no members: no consumer is running, or the input
    does not list members.
    """
    says = "" if observed.cluster else "the listing says that "
    return _NOT_NAMED if observed.may_have_members else _NOT_RUNNING.format(says)


def require_partitions(view: View) -> None:
    """Stop if the input has no partitions, and show the command that prints partitions."""
    if not view.comparison.group.tp_count:
        st.info(
            "This input has members but no partitions, so there is nothing to assign. Add the"
            " output of this command:"
        )
        st.code(DESCRIBE, language=None)
        st.stop()


def warn_of_unlisted(view: View) -> None:
    """Warn of members that own partitions which the input does not list. Figures of the current
    assignment leave these members out.
    """
    rows = [int(path[1]) for path in map(_OWNED.fullmatch, view.observed.assumed) if path]
    names = [literal(view.names[row]) for row in rows if row < len(view.names)]
    if names and view.comparison.rows[0].assignment is not None:
        st.warning(
            f"{', '.join(first_of(names, _MOST_NAMES))}: not idle. The input has only the number"
            " of partitions that these members own, so the charts of the current owners leave them"
            " out. Add the output of `--describe` or `--describe --members --verbose` from the same"
            " moment."
        )


def require_owners(view: View) -> None:
    """Stop if the current owners are unknown, and show which input has them."""
    if view.comparison.rows[0].assignment is None:
        st.info(
            "This input does not show the current owners, so there are no moves to show. "
            "Add the output of `--describe` or `--describe --members --verbose`."
        )
        st.stop()


# Why an assignor has no answer: Kafka's own class would throw, or a plug-in has failed or not
# answered yet.


def require_answer(row: Row, client: str = JAVA) -> None:
    """Stop the page if an assignor has no answer, and show why. `client`: the client whose class
    computes the answer.
    """
    if isinstance(row.error, NotKnownError):
        st.info(literal(f"{row.name}: {in_words(row.error)}."))
        st.stop()
    if show_no_answer(row, client):
        st.stop()


def show_no_answer(row: Row, client: str = JAVA) -> bool:
    """Show why an assignor has no answer. Return False if it has an answer. If the answer is
    unknown for this Kafka release, show only what to choose instead: the table above has the
    reason.
    """
    if isinstance(row.error, NotKnownError):
        st.info(
            literal(
                f"No charts of {row.name}. Choose another candidate, or Kafka {row.error.since} or"
                " a later release."
            )
        )
    elif row.error:
        if row.name not in ASSIGNORS:
            show(
                f"{row.name}: no answer from the plug-in, {row.error.java_class} on this group:"
                f" {message(row.error)}"
            )
        elif is_gap(row.error):
            st.info(literal(f"{in_words(row.error)}. Choose another candidate, or another leader."))
        elif row.error.java_class == REQUEST_ERROR or is_deadly(row.error):
            show(f"{row.name}: {in_words(row.error)}")
        else:
            show(
                f"{row.name}: {_whose(client)} throws {row.error.java_class} on this group:"
                f" {message(row.error)}"
            )
    elif row.assignment is None:
        st.info(
            f"{literal(row.name)} has not answered yet. The other assignors can be chosen"
            " meanwhile."
        )
    return row.assignment is None


def _whose(client: str) -> str:
    return "Kafka's own class" if client == JAVA else f"{client}'s own class"


# A listing that was printed during a rebalance.


def warn_of_rebalancing(group: OpenGroup) -> None:
    """Draw a warning if the listing says that the group is rebalancing."""
    if is_rebalancing(group):
        name = literal(group.group_id or group.source_file or "The group")
        st.warning(
            f"{name} {REBALANCED}. Print the listing again once `--describe --state` says Stable.",
            icon=":material/sync_problem:",
        )
