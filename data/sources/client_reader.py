"""Reads the events in one log of clients, in any line layout. librdkafka writes an assignment over
several lines.
"""

import re
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from evenkeel.data.sources.clean import BLANKS, MOST_COMPARED, is_newest_first
from evenkeel.data.sources.client_event import (
    SPRING,
    ClientEvent,
    connect_parts,
    made,
    of_franz,
    of_kafkajs,
    of_text,
    split,
)
from evenkeel.data.sources.client_messages import (
    JAVA,
    JAVA_EVENTS,
    SIGNS,
    STREAMS,
    assignment_of,
    message_of,
    partitions_of,
)
from evenkeel.data.sources.log_lines import (
    ESCAPES,
    TIME,
    TIME_WITHIN,
    Clock,
    Counts,
    before_json,
    json_object,
    json_parts,
    pieces_of,
    texts_behind,
    time_in,
)

_ANY = re.compile("|".join(re.escape(sign.decode()) for sign in SIGNS))
_RDKAFKA = re.compile(
    r"(?:(?:(?<![A-Z0-9_])(?P<facility>[A-Z][A-Z0-9_]{1,30})[|: ]{1,3}\[?)?"
    r"(?<![^|\[\]\s:])(?P<name>[^|\[\]\s]{0,200}#(?:consumer|producer)-\d{1,9})"
    r"(?:\|(?P<later>[A-Z][A-Z0-9_]{1,30}))?[|\]:>]{0,3}(?: >)? {0,9}(?:\[thrd:[^\]]{0,200}\]:)?"
    r"|\[thrd:[^\]]{0,200}\]:)(?P<text> .*)"
)
"""Facility and handle in either order, as log handlers write them."""

_SECONDS = re.compile(r"(?<![\d.])\d{10}\.\d{1,6}(?!\d)")
_FACILITIES = (
    ("MAXPOLL", " Application maximum poll interval"),
    ("SESSTMOUT", " Consumer group session timed out"),
    ("JOINGROUP", " JoinGroup response: "),
    ("SYNCGROUP", " SyncGroup response: "),
    ("ASSIGNMENT", " List with "),
    ("JOIN", ": join with "),
    ("HEARTBEAT", " heartbeat error response"),
    ("REJOIN", ": Rejoining group"),
    ("REBALANCE", " is rebalancing"),
    ("LEAVE", ": leave"),
    ("ASSIGN", " assignor for "),
)
"""librdkafka's facilities by their texts, because some log handlers write only the text."""

_IN_GROUP = re.compile(r'Group "(?P<group>[^"]+)"')
_JOINED = re.compile(
    r" JoinGroup response: GenerationId (?P<generation>-?\d+), Protocol (?P<protocol>\S*),"
    r" LeaderId "
    r"(?P<leader>\S*?)(?P<me> \(me\))?, my MemberId (?P<member>\S*), (?:member metadata count "
    r"(?P<count>\d+)|(?P<more>\d+) members in group): (?P<reason>.*)"
)
_RUNS = re.compile(r' Group "(?P<group>[^"]+)" running (?P<protocol>\S+) assign(?:or|ment) ')
_GIVES = re.compile(r' +Member "(?P<member>[^"]+)"(?: \(me\))? assigned \d+ partition\(s\):')
_LISTED = re.compile(r" +(?P<topic>\S+) \[(?P<partition>\d+)\](?:[\s\"].*)?")
_REBALANCES = re.compile(r".*(?:rebalance in progress|is rebalancing)", re.I)
_QUOTED = re.compile(r'[^",]*,"')
_OWNED = re.compile(r"(?:\s|\\t)Assigned partitions:\s+\[(.*?)\]")
_BROD = b"Group member ("
_BROD_TOPIC = re.compile(r"\s+([A-Za-z0-9._-]+):\s*")
_BROD_PARTITION = re.compile(r"\s+partition=(\d+)")
_TASKS = re.compile(r"(?:\s|\\t)New (active|standby) tasks:\s+\[(.*?)\]")


def _time_in(line: bytes) -> str:
    time = TIME.search(line[:TIME_WITHIN].decode("utf-8", "replace"))
    return time_in(json_object(line) or {}) or (time[0] if time else "")


class Reader:
    """Reads the events of one file."""

    def __init__(self, name: str, zone: ZoneInfo | None, counts: Counts):
        self._name, self._clock, self._counts = name, Clock(zone, counts), counts
        self._open: ClientEvent | None = None
        self._topic = ""
        self._plan: ClientEvent | None = None
        self._member: str | None = None
        self._list: ClientEvent | None = None
        self._events: list[ClientEvent] = []

    def events(self, lines: Iterable[bytes]) -> list[ClientEvent]:
        """Return the events of all lines, oldest first. A log with its newest line first is
        reversed.
        """
        numbered = list(enumerate(lines, 1))
        some = [line for _, line in numbered if line.strip()][:MOST_COMPARED]
        times = [_time_in(line) for line in some]
        self._read(numbered[::-1] if all(times) and is_newest_first(times) else numbered)
        if is_newest_first([event.at for event in self._events if event.at is not None]):
            self._events.reverse()
            self._events.sort(key=lambda event: event.at or 0)
        self._name_groups()
        if any(event.event == "assigned" and event.library == "java" for event in self._events):
            # Spring's containers repeat the messages of their consumers.
            return [event for event in self._events if event.library != SPRING]
        return self._events

    def _read(self, lines: Iterable[tuple[int, bytes]]) -> None:
        above, brod = "", b""
        for number, raw in lines:
            # brod writes its message on the line below its prefix.
            line, brod = brod + raw, b""
            if _BROD in line and line.rstrip().endswith(b"):"):
                brod = line.rstrip() + b" "
            elif any(sign in line for sign in SIGNS):
                for piece in pieces_of(line, _ANY):
                    self._line(number, piece, above)
            elif self._open is not None:
                self._continue(self._open, raw.decode("utf-8", "replace"))
            above = raw[:TIME_WITHIN].decode("utf-8", "replace")
        self._close()

    def _continue(self, event: ClientEvent, line: str) -> None:
        """Read a line that continues the assignment in the message above."""
        if match := _OWNED.search(line):
            event.partitions = partitions_of(match[1])
        elif match := _BROD_TOPIC.fullmatch(line):
            self._topic = match[1]
        elif self._topic and (match := _BROD_PARTITION.match(line)):
            event.partitions = event.partitions or {}
            event.partitions.setdefault(self._topic, []).append(int(match[1]))
        elif match := _TASKS.search(line):
            event.more[match[1]] = [task.strip() for task in match[2].split(",") if task.strip()]

    def _line(self, number: int, raw: bytes, above: str) -> None:
        parts = json_parts(raw, _ANY)
        value = parts.keys if parts else json_object(raw)
        text = parts[1] if parts else raw.decode("utf-8", "replace").rstrip("\r")
        text = ESCAPES.sub("", text).translate(BLANKS)
        if _QUOTED.match(text):
            text = text.replace('""', '"').rstrip().removesuffix('"')
        event = self._event(text, value or {}, f"{self._name}:{number}")
        if event is None:
            return
        if event.at is None:
            prefix = JAVA.search(text) or _ANY.search(text)
            head = text[: min(TIME_WITHIN, prefix.start() if prefix else TIME_WITHIN)]
            outside = (parts[0] or before_json(raw)) if parts else time_in(value or {})
            event.at = self._clock.at(f"{outside} {head}" if TIME.search(head) else outside or head)
            if event.at is None:
                event.at = self._clock.at(above)
        self._counts.first = min(filter(None, (self._counts.first, event.at)), default=None)
        self._counts.last = max(filter(None, (self._counts.last, event.at)), default=None)
        if event.event:
            self._events += split(event)
        is_open = event.event in ("owns", "tasks") or event.partitions == {}
        self._open, self._topic = event if is_open else None, ""
        for line in text.split("\n")[1:] if is_open else ():
            self._continue(event, line)

    def _event(self, text: str, value: dict[str, Any], place: str) -> ClientEvent | None:
        if match := JAVA.search(text):
            return self._java(match, text[match.end() :], place)
        if match := _RDKAFKA.search(text):
            return self._librdkafka(match, place)
        self._close()
        if match := STREAMS.search(text):
            return self._java(match, text[match.end() :], place)
        is_of_runner = "[Runner]" in text or "[ConsumerGroup]" in text
        if is_of_runner or "kafkajs" in str(value.get("logger")):
            return of_kafkajs(text, value, place)
        return of_franz(text, value, place) or of_text(text, place)

    def _java(self, prefix: re.Match, rest: str, place: str) -> ClientEvent | None:
        self._close()
        texts = list(texts_behind(rest))
        text = texts[0]
        message = message_of(text, JAVA_EVENTS, whole=True)
        if message is None:
            return None
        if "reason" in message:
            # A layout may add a suffix, which must not become part of the reason.
            whole = [each for each in texts if each.count("{") == each.count("}")]
            shortest = message_of((whole or texts)[-1], JAVA_EVENTS, whole=True) or {}
            message |= shortest if shortest.get("event") == message["event"] else {}
        named = prefix.groupdict()
        event = made(message, "java", place)
        event.group = event.group or named.get("group")
        event.client_id, event.instance_id = named.get("client"), named.get("instance")
        if "content" in message:
            event.assignment = assignment_of(message["content"])
        elif message["event"] == "connect_assignment":
            event.more |= connect_parts(text)
        return event

    def _librdkafka(self, match: re.Match, place: str) -> ClientEvent | None:
        text = match["text"].rstrip()
        facility = match["facility"] or match["later"] or self._facility_of(text)
        seconds = _SECONDS.search(match.string[: match.start()])
        at = round(float(seconds[0]) * 1000) if seconds else None
        if self._continues(facility, text, at):
            return None
        self._close()
        name = match["name"] or ""
        event = ClientEvent(
            at, "", "librdkafka", place, client_id=name.partition("#")[0] or None, handle=name
        )
        in_group = _IN_GROUP.search(text)
        event.group = in_group and in_group["group"]
        event.event = self._of_facility(facility, text, event)
        return event if event.event else None

    def _facility_of(self, text: str) -> str:
        """Return the librdkafka facility, such as `JOIN`, in a text. A text without a facility
        continues the assignment that is open.
        """
        known = next((facility for facility, part in _FACILITIES if part in text), None)
        if known is None and self._plan is not None:
            return "ASSIGN"
        return known or ("ASSIGNMENT" if self._list is not None else "")

    def _of_facility(self, facility: str, text: str, event: ClientEvent) -> str:
        if facility == "MAXPOLL":
            return "poll_timeout"
        if facility == "SESSTMOUT":
            return "session_timeout"
        if facility == "JOIN" and ": join with" in text:
            return "joining"
        if facility == "JOINGROUP" and (match := _JOINED.match(text)):
            return self._joined(match, event)
        if facility == "ASSIGN" and (match := _RUNS.match(text)):
            event.more["protocol"], event.assignment = match["protocol"], {}
            self._plan, self._member = event, None
            return ""
        if facility == "SYNCGROUP":
            is_good = "Success" in text or "(no error)" in text
            return "synced" if is_good else "sync_failed"
        if facility == "ASSIGNMENT" and "List with" in text:
            event.partitions = {}
            self._list = event
            return ""
        if facility == "HEARTBEAT" and "error" in text:
            event.reason = text.rpartition(": ")[2]
            return "rebalancing" if _REBALANCES.match(text) else "heartbeat_failed"
        if facility in ("REJOIN", "REBALANCE") and (in_group := _IN_GROUP.search(text)):
            event.reason = text[in_group.end() :].rpartition(": ")[2] or None
            is_second = any(
                earlier.event in ("rebalancing", "rejoin_requested")
                and abs((earlier.at or 0) - (event.at or 0)) <= 100
                for earlier in self._events[-5:]
            )
            return "" if facility == "REBALANCE" and is_second else "rejoin_requested"
        return "left" if facility == "LEAVE" else ""

    def _joined(self, match: re.Match, event: ClientEvent) -> str:
        event.generation = int(match["generation"])
        if event.generation == -1:
            event.generation, event.reason = None, match["reason"]
            return "join_failed"
        count = int(match["count"] or match["more"] or 0)
        event.member_id = match["member"]
        event.more |= {"protocol": match["protocol"], "leader": match["leader"]}
        if count:
            event.more["members"] = count
        return "joined"

    def _continues(self, facility: str, text: str, at: int | None) -> bool:
        """Read a line if it continues an assignment. Return whether it does."""
        plan = self._plan
        assignment = None if plan is None else plan.assignment
        listed = None if self._list is None else self._list.partitions
        if facility == "ASSIGN" and plan and assignment is not None and not _RUNS.match(text):
            if match := _GIVES.match(text):
                self._member = match["member"]
                assignment.setdefault(self._member, {})
            elif self._member is not None and (match := _LISTED.fullmatch(text)):
                assignment[self._member].setdefault(match["topic"], []).append(
                    int(match["partition"])
                )
            plan.at = at or plan.at
            return True
        match = _LISTED.fullmatch(text)
        if facility == "ASSIGNMENT" and listed is not None and match:
            listed.setdefault(match["topic"], []).append(int(match["partition"]))
            return True
        return False

    def _close(self) -> None:
        """Add the event of the assignment in the lines above."""
        if self._plan is not None and self._plan.assignment:
            self._plan.event = "assignment_made"
            self._events.append(self._plan)
        if self._list is not None:
            self._list.event = "assigned"
            self._events.append(self._list)
        self._plan = self._list = self._member = None

    def _name_groups(self) -> None:
        """Give each event without a group the group of its client's other events, if these have
        only one group.
        """
        groups: dict[str | None, set[str]] = {}
        for event in self._events:
            if event.group is not None:
                groups.setdefault(event.handle or event.client_id, set()).add(event.group)
        for event in self._events:
            names = groups.get(event.handle or event.client_id, set())
            if event.group is None and len(names) == 1:
                event.group = next(iter(names))
