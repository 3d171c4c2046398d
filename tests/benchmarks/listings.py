"""Listings of any length, as Kafka 2.3 to 4.x print them."""

from pathlib import Path

GROUP_PARTITIONS = 1000
GROUP_MEMBERS = 50
HEADER = (
    "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG            "
    " CONSUMER-ID                                     HOST            CLIENT-ID"
)


def write_listing(path: Path, line_count: int, file: int = 0) -> None:
    """Write a listing of `line_count` lines: groups of 1,000 partitions and 50 members, each under
    its own header.

    `file`: number of the file among several, which have no group in common.
    """
    block = _group_block()
    with path.open("w") as listing:
        for group, first in enumerate(range(0, line_count, len(block))):
            name = f"group-{file * 100_000 + group:06d}"
            listing.write("".join(block[: line_count - first]).replace("group-??????", name))


def _group_block() -> list[str]:
    """Return the lines of one group, a blank line and the header first."""
    rows = (_row(partition) for partition in range(GROUP_PARTITIONS))
    return ["\n", HEADER + "\n", *rows]


def _row(partition: int) -> str:
    topic, number, member = f"orders-{partition // 100}", partition % 100, partition % GROUP_MEMBERS
    committed, lag = 120_455 + 7_919 * partition, (partition * 2_654_435_761) % 50_000
    member_id = f"pay-{member:04d}-0f3c1e52-55c7-4d0e-9f0b-2a6d1b7c{member:04x}"
    return (
        f"{'group-??????':<15} {topic:<15} {number:<10} {committed:<15} {committed + lag:<15}"
        f" {lag:<15} {member_id:<47} /10.4.{member // 250}.{member % 250:<10} pay-{member:04d}\n"
    )
