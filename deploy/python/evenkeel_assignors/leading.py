"""Leading: the leader's work in a rebalance, the same for all clients. It reads lags, applies the
rule and logs the result.

It never raises an error. The answer has all members, and only partitions that exist. Lags are read
within the time limit.
"""

import json
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from evenkeel_assignors import rule, user_data
from evenkeel_assignors.reading import Lags, OwnReads, Partitions, Reader, Source, UnreadError
from evenkeel_assignors.rule import Held, Member

log = logging.getLogger("evenkeel_assignors")

Journal = Callable[[str], Any] | str | Path

_PARTS_OF_THE_SESSION = 3
"""The time limit is at most a third of the session timeout, because a client sends no heartbeats
while it assigns.
"""


_NOTHING_KEPT: tuple[tuple[str, ...], str | None] = ((), None)
_MOST_KEPT, _LONGEST_WHY = 20, 200
"""Most topics, and most characters of the reason, in the user data that a member sends when it
joins.
"""


class _Plan(NamedTuple):
    """Lags that must be used again in the next round, because some partitions are withheld in this
    round. `group`: members and partitions for which the lags are valid.
    """

    group: tuple
    lags: Lags
    why: str | None


class Leading:
    """The part of an assignor that is the same for all clients.

    `client`: name of the client. `protocol`: Kafka's name of the assignor. `is_cooperative`: if
    another member still owns a partition, the partition is assigned only in the next round.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        source: Callable[[Mapping[str, Any], float], Source],
        *,
        client: str,
        protocol: str,
        time_limit: float,
        session_timeout_ms: int,
        read: Callable[[Partitions], Mapping] | None = None,
        journal: Journal | None = None,
        is_cooperative: bool = False,
    ):
        _require_group(settings)
        _require_limit(time_limit, settings.get("session_timeout_ms") or session_timeout_ms)
        self._group_id, self._reset = (
            settings["group_id"],
            settings.get("auto_offset_reset") or "latest",
        )
        self._journal, self._is_cooperative = journal, is_cooperative
        self._reader = Reader(OwnReads(read) if read else source(settings, time_limit), time_limit)
        self._has_led, self._last, self._plan = False, _NOTHING_KEPT, None
        self._head = {
            "type": "classic",
            "assignor": protocol,
            "leader": {"client": client, "certain": True},
        }

    def open(self) -> None:
        """Start to connect to Kafka, so that the first assignment need not wait for the
        connection.
        """
        self._reader.open()

    def user_data(self, owned: Held, generation: int) -> bytes:
        """Return the user data that this member sends when it joins."""
        return user_data.encode(user_data.MemberReport(owned, generation, self._reset, *self._last))

    def assign(
        self,
        subscribed: Mapping[str, Collection[str]],
        members: Callable[[], Sequence[Member]],
        partitions_of: Callable[[str], Collection[int] | None],
    ) -> dict[str, Held]:
        """Return the partitions of each member of the group.

        `subscribed`: topics by member id. `members`: returns the members. `partitions_of`: returns
        the partition numbers of a topic, None if unknown.
        """
        began, self._has_led = time.monotonic(), True
        try:
            return self._assigned(members(), _sizes(subscribed, partitions_of), began)
        except Exception as error:
            log.warning(
                "group %s: partitions are dealt by count: %s: %s",
                self._group_id,
                type(error).__name__,
                error,
                exc_info=True,
            )
            return _by_count(subscribed, partitions_of)

    def assigned(self) -> None:
        """Must be called at the end of a rebalance. If another member was the leader, this member
        deletes its report of kept topics.
        """
        if not self._has_led:
            self._last, self._plan = _NOTHING_KEPT, None
        self._has_led = False

    def _assigned(
        self, members: Sequence[Member], partitions: Partitions, began: float
    ) -> dict[str, Held]:
        group = (
            tuple(
                sorted((member.member_id, tuple(sorted(member.subscribed))) for member in members)
            ),
            partitions,
        )
        if self._plan is not None and self._plan.group == group:
            # The second round of a move uses the lags of the first round. With new lags, the moves
            # could change in each round, and the rounds would never end.
            _, lags, why = self._plan
        else:
            lags, why = self._lags(partitions, began)
        answer = rule.assign(members, partitions, lags)
        rule.require_whole(answer.assignment, members, partitions)
        sent, waiting = answer.assignment, 0
        if self._is_cooperative:
            sent, waiting = rule.without_withheld(sent, rule.claims(members, partitions))
        self._plan = _Plan(group, lags, why) if waiting else None
        why = (why or "some lags are unknown") if answer.kept_topics else None
        self._last = tuple(answer.kept_topics)[:_MOST_KEPT], why and why[:_LONGEST_WHY]
        if answer.kept_topics:
            log.warning(
                "group %s: owners keep their partitions of %s: %s",
                self._group_id,
                ", ".join(answer.kept_topics),
                why,
            )
        self._tell(
            members,
            partitions,
            lags,
            answer,
            sent if self._is_cooperative else None,
            why,
            time.monotonic() - began,
        )
        return sent

    def _lags(self, partitions: Partitions, began: float) -> tuple[Lags, str | None]:
        if not any(partitions.values()):
            return {}, None
        try:
            return self._reader.read(partitions, time.monotonic() - began), None
        except UnreadError as error:
            return {}, str(error)

    def _tell(
        self,
        members: Sequence[Member],
        partitions: Partitions,
        lags: Lags,
        answer: rule.Answer,
        sent: dict[str, Held] | None,
        why: str | None,
        seconds: float,
    ) -> None:
        if self._journal is None:
            return
        try:
            line = {
                "request": {
                    "assignor": "lag",
                    "group": self._document(members, partitions, lags),
                    "settings": {},
                }
            }
            line |= {
                "assignment": answer.assignment,
                "sent": sent,
                "kept": answer.kept_topics,
                "why": why,
                "seconds": round(seconds, 6),
            }
            _write(self._journal, json.dumps(line, separators=(",", ":")))
        except Exception as error:
            log.info(
                "group %s: the journal could not be written: %s: %s",
                self._group_id,
                type(error).__name__,
                error,
            )

    def _document(
        self, members: Sequence[Member], partitions: Partitions, lags: Lags
    ) -> dict[str, Any]:
        """Return the group in the format of `evenkeel assign`."""
        return {
            "format": "evenkeel.group/1",
            "group_id": self._group_id,
            "taken_at": datetime.now(timezone.utc)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z"),
            "auto_offset_reset": self._reset,
            **self._head,
            "topics": [
                {"name": topic, "partitions": _with_lags(topic, partitions[topic], lags)}
                for topic in sorted(partitions)
            ],
            "members": [
                {
                    "member_id": member.member_id,
                    "subscribed": list(dict.fromkeys(member.subscribed)),
                    "owned": {topic: sorted(numbers) for topic, numbers in member.owned.items()},
                    "generation": member.generation,
                }
                for member in members
            ],
        }


def _require_group(settings: Mapping[str, Any]) -> None:
    group_id = settings.get("group_id")
    if not isinstance(group_id, str) or not group_id:
        raise ValueError(
            f"settings: group_id is {group_id!r}, expected the group of the consumer: its committed"
            " offsets are read"
        )


def _require_limit(time_limit: float, session_timeout_ms: int) -> None:
    most = session_timeout_ms / 1000 / _PARTS_OF_THE_SESSION
    if not 0 < time_limit <= most:
        raise ValueError(
            f"time_limit is {time_limit}, expected more than 0 and at most {most:.3g} s, a third of"
            " session_timeout_ms: a member that waits longer for lags is removed from the group"
        )


def _sizes(
    subscribed: Mapping[str, Collection[str]],
    partitions_of: Callable[[str], Collection[int] | None],
) -> dict[str, list[int]]:
    topics = sorted({topic for some in subscribed.values() for topic in some})
    return {topic: sorted(numbers) for topic in topics if (numbers := partitions_of(topic))}


def _by_count(
    subscribed: Mapping[str, Collection[str]],
    partitions_of: Callable[[str], Collection[int] | None],
) -> dict[str, Held]:
    try:
        members = [Member(member_id, topics) for member_id, topics in subscribed.items()]
        return rule.assign(members, _sizes(subscribed, partitions_of), {}).assignment
    except Exception as error:
        log.warning("nothing is assigned: %s: %s", type(error).__name__, error)
        return {member: {} for member in subscribed}


def _with_lags(topic: str, numbers: Sequence[int], lags: Lags) -> list[dict[str, int]]:
    return [
        {"lag": lags[topic, number]} if (topic, number) in lags else {}
        for number in range(max(numbers, default=-1) + 1)
    ]


def _write(journal: Journal, line: str) -> None:
    if callable(journal):
        journal(line)
        return
    with open(journal, "a", encoding="utf-8") as file:
        file.write(line + "\n")
