"""What `StreamsGroupCommand` prints of an application's members, in its forms: printf formats as in
Kafka's sources.
"""

from typing import NamedTuple

ROLES = ("ACTIVE", "STANDBY", "WARMUP")


class Printed(NamedTuple):
    """One member; `tasks` and `target` by role: subtopology to partitions."""

    group_id: str
    member_id: str
    process_id: str
    client_id: str
    tasks: dict[str, dict[int, list[int]]]
    target: dict[str, dict[int, list[int]]]


def newer_form(members: list[Printed], *, verbose: bool) -> str:
    """Return one header, and a line for each member with its tasks in the last column."""
    epochs = (
        ["TARGET-ASSIGNMENT-EPOCH", "TOPOLOGY-EPOCH", "MEMBER", "MEMBER-PROTOCOL", "MEMBER-EPOCH"]
        if verbose
        else ["MEMBER"]
    )
    rows = [["GROUP", *epochs, "PROCESS", "CLIENT-ID", "ASSIGNMENTS"]]
    for each in members:
        assigned = _in_one_line(each.tasks, "") + (
            _in_one_line(each.target, "TARGET-") if verbose else ""
        )
        member = ["15", "0", each.member_id, "streams", "14"] if verbose else [each.member_id]
        rows.append([each.group_id, *member, each.process_id, each.client_id, assigned])
    widths = [max(15, *(len(row[place]) for row in rows)) for place in range(len(rows[0]) - 1)]
    return "".join(
        " ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]])
        + "\n"
        for row in rows
    )


def first_form(members: list[Printed], *, verbose: bool) -> str:
    """Return a header, a line and lines of tasks for each member; with `verbose` the columns do not
    stand under the header.
    """
    text = ""
    for each in members:
        if verbose:
            text += (
                "GROUP           TARGET-ASSIGNMENT-EPOCH TOPOLOGY-EPOCH MEMBER         "
                " MEMBER-PROTOCOL    MEMBER-EPOCH PROCESS         CLIENT-ID      \n"
            )
            text += (
                f"{each.group_id:<15} 15 {0:<15}{each.member_id:<15} streams {14:>15}"
                f" {each.process_id:<15} {each.client_id:<15}\n"
            )
        else:
            text += f"{'GROUP':<15} {'MEMBER':<22} {'PROCESS':<36} {'CLIENT-ID':<15}\n"
            text += (
                f"{each.group_id:<15} {each.member_id:<22} {each.process_id:<36}"
                f" {each.client_id:<15}\n"
            )
        text += (
            _in_lines(each.tasks, "")
            + (_in_lines(each.target, "TARGET-") if verbose else "")
            + "\n"
        )
    return text


def _in_one_line(tasks: dict[str, dict[int, list[int]]], prefix: str) -> str:
    listed = {
        role: "".join(
            f"{one}:[{','.join(map(str, numbers))}]; " for one, numbers in tasks[role].items()
        )
        for role in ROLES
    }
    return "".join(f"{prefix}{role}: {text}" for role, text in listed.items() if text)


def _in_lines(tasks: dict[str, dict[int, list[int]]], prefix: str) -> str:
    listed = {
        role: ",".join(f"{one}: [{numbers}" for one, numbers in tasks[role].items())
        for role in ROLES
    }
    return "".join(f"{prefix}{role}-TASKS:: {text}] \n" for role, text in listed.items())
