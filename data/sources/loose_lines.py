"""Reads lines about a partition that need no header: lines of kcat and of Kafka's formatter for
commits, and offsets with colons or commas between the values.
"""

import re

from evenkeel.data.sources.facts import Facts

_QUERY = re.compile(r"\s*(\S+) \[(\d+)\]:? offset (-?\d+)\s*")
_COMMIT = re.compile(
    r"\[([^,\]]+),([^,\]]+),(\d+)\]::(?:(NULL|null)|\[?Offset(?:AndMetadata|Metadata)[(\[](?:offset=)?(-?\d+).*)"
)
_OF_TOPIC = re.compile(r'\s*topic "([^"]+)" with (\d+) partitions:.*')
_OF_PARTITION = re.compile(r"\s*partition (\d+), leader (-?\d+), replicas: .*")
_COLONS = re.compile(r"([A-Za-z0-9._-]+):(\d+):(-?\d+)")
_COMMAS = re.compile(r'"?([A-Za-z0-9._-]+)"?,"?(\d+)"?,"?(-?\d+)"?')
_OF_FOUR = re.compile(r'"?([^",]+)"?,"?([A-Za-z0-9._-]+)"?,"?(\d+)"?,"?(-?\d+)"?')


def is_headerless(line: str) -> bool:
    """Return whether a line is about a partition and needs no header."""
    return any(
        pattern.fullmatch(line.strip())
        for pattern in (_QUERY, _COMMIT, _OF_TOPIC, _OF_PARTITION, _COLONS, _COMMAS, _OF_FOUR)
    )


def is_of_kcat(line: str) -> bool:
    """Return whether kcat or the commit formatter printed a line."""
    return any(pattern.fullmatch(line) for pattern in (_OF_TOPIC, _QUERY, _COMMIT))


def is_of_partition(line: str) -> bool:
    """Return whether a line is about the replicas of a partition, as kcat prints it."""
    return _OF_PARTITION.fullmatch(line.strip()) is not None


class LooseLines:
    """Collects the facts of lines without a header. Commits and end offsets are added after all
    lines are read.
    """

    def __init__(self, facts: Facts):
        self._facts = facts
        self._ends: dict[tuple[str, int], tuple[int, int]] = {}
        self._commits: dict[tuple[str, str, int], tuple[int, int | None]] = {}

    @property
    def has_commits(self) -> bool:
        """Whether any line has a commit or a deleted commit."""
        return bool(self._commits)

    def take(self, number: int, text: str, *, is_below_header: bool) -> bool:
        """Read a line that needs no header; return False for other lines. Below a header, values
        between commas or colons may be a row of the table, so they are not read here.
        """
        if match := _COMMIT.fullmatch(text):
            offset = None if match[4] else int(match[5])
            self._commits[match[1], match[2], int(match[3])] = number, offset
        elif match := _QUERY.fullmatch(text):
            self._ends[match[1], int(match[2])] = number, int(match[3])
        elif match := _OF_TOPIC.fullmatch(text):
            self._facts.add_topic(number, match[1], int(match[2]))
        elif not is_below_header and (match := _COLONS.fullmatch(text)):
            self._ends[match[1], int(match[2])] = number, int(match[3])
        elif not is_below_header and (match := _COMMAS.fullmatch(text)):
            self._add_commit(number, None, match[1], match[2], match[3])
        elif not is_below_header and (match := _OF_FOUR.fullmatch(text)):
            self._add_commit(number, match[1], match[2], match[3], match[4])
        else:
            return False
        return True

    def _add_commit(
        self, number: int, group_id: str | None, topic: str, partition: str, offset: str
    ) -> None:
        row = {"group_id": group_id, "topic": topic, "partition": partition}
        self._facts.add_partition(number, row | {"committed_offset": offset})
        self._facts.offsets[-1]["source_format"] = "commits without a header"

    def _add_ends(self) -> None:
        """Add each end offset to all groups with the partition; if there are none, to the unnamed
        group.
        """
        groups: dict[tuple[str, int], dict[str | None, None]] = {}
        for row in self._facts.offsets:
            groups.setdefault((row["topic"], row["partition"]), {})[row["group_id"]] = None
        for (topic, partition), (number, offset) in self._ends.items():
            for group_id in groups.get((topic, partition), {None: None}):
                row = {"group_id": group_id, "topic": topic, "partition": partition}
                self._facts.add_partition(number, row | {"end_offset": offset})
                self._facts.offsets[-1]["source_format"] = "end offsets"

    def add_rows(self) -> None:
        """Add the last commit of each partition, and end offsets."""
        for (group_id, topic, partition), (number, offset) in self._commits.items():
            if offset is not None:
                row = {"group_id": group_id, "topic": topic, "partition": partition}
                self._facts.add_partition(number, row | {"committed_offset": offset})
        self._add_ends()
