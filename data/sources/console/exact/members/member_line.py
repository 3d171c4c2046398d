"""One line under the header of `--members`."""

from evenkeel.data.sources.console.exact.cells import cells_at, cells_between, words_of
from evenkeel.data.sources.console.exact.members import assignment_cell
from evenkeel.data.sources.console.exact.members.member_splits import splits
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.numbers import INT32, Unreadable, whole, whole_or_none
from evenkeel.data.sources.parsing.pasted import printed_or_none, unquoted


def read(text: str, layout: Layout, group_id: str | None) -> dict:
    """Return the row of MEMBERS that a line gives.

    Raises
    ------
    Unreadable
        When the line is no row, or could be two different rows.
    """
    if layout.separator in "|\t":
        ways = [cells_between(text, layout.separator)]
    else:
        at = cells_at(text, layout.starts)
        ways = [at] if at and _fits(at, layout, group_id) else list(splits(text, words_of(text), layout))
    return _row_of(_only(ways, layout, group_id), layout, group_id)


def _only(ways: list[list[str]], layout: Layout, group_id: str | None) -> list[str]:
    expected = f"expected {len(layout.words)} columns: {' '.join(layout.words)}"
    readable = [cells for cells in ways if len(cells) == len(layout.words) and _fits(cells, layout, group_id)]
    if len(readable) > 1:
        raise Unreadable(f"can be cut in several ways and does not stand under its header, {expected}")
    if not readable and len(ways) == 1 and len(ways[0]) == len(layout.words):
        return ways[0]
    if not readable:
        raise Unreadable(f"no row of this listing, {expected}")
    return readable[0]


def _fits(cells: list[str], layout: Layout, group_id: str | None) -> bool:
    try:
        return bool(_row_of(cells, layout, group_id))
    except Unreadable:
        return False


def _row_of(cells: list[str], layout: Layout, group_id: str | None) -> dict:
    cell = dict(zip(layout.columns, map(unquoted, cells)))
    count = whole(cell["partition_count"], "#PARTITIONS", 0, INT32)
    row = {"group_id": cell.get("group_id", group_id), "partition_count": count}
    row |= {column: printed_or_none(cell.get(column, "")) for column in ("member_id", "instance_id", "client_id", "host")}
    if row["member_id"] is None or row["group_id"] == "":
        raise Unreadable(f"a name is missing, expected {' '.join(layout.words)}")
    if "target_assignment" in cell:
        return row | _broker_row(cell, count)
    if "assignment" in cell:
        return row | {"owned": assignment_cell.owned_of(cell["assignment"], count)}
    # Without --verbose, Kafka prints only how many partitions a member owns.
    return row | {"owned": None if count else []}


def _broker_row(cell: dict[str, str], count: int) -> dict:
    """Read the columns of 4.x: a classic member has no epochs and no target; what it has now is what it owns."""
    current = assignment_cell.current_of(cell["current_assignment"], count)
    epoch, target_epoch = (
        # KIP-848: -2 is the epoch of a static member that has left and may come back.
        whole_or_none(cell["epoch"], "CURRENT-EPOCH", -2, INT32),
        whole_or_none(cell["assignment_epoch"], "TARGET-EPOCH", -2, INT32),
    )
    if target_epoch is None:
        return {"owned": current, "epoch": epoch}
    target = assignment_cell.target_of(cell["target_assignment"])
    return {
        "owned": target,
        "current": None if current == target else current,
        "epoch": epoch,
        "assignment_epoch": target_epoch,
        "group_type": "consumer",
    }
