"""The messages of group coordinators about rebalances in Kafka 2.0 to 4.3, with patterns for their
parts.

    message_of("Stabilized group pay generation 3 with 2 members.")
    ("joined", {"group": "pay", "number": "3", "count": "2"})

A group id may contain words of the messages. If a message can be read with several group ids, the
shortest is used. Source: Kafka's `GroupCoordinator.scala` of 2.0 to 3.5,
`GroupMetadataManager.java` of 4.0 to 4.3.
"""

import re

STATE = "(?:PreparingRebalance|CompletingRebalance|AwaitingSync|Stable|Empty|Dead|Unknown)"
"""The states of a classic group. Every other word is part of a name."""
_TYPE = "(?:classic|consumer|share|streams)"
_P = r"(?: \(__consumer_offsets-\d+\))?"
_WHY = r"(?:; client reason: (?P<reason>.*?))?"
_GROUP = r"\[GroupId (?P<group>.+?)\] "
_LEFT = r" through explicit `LeaveGroup`(?: request)?" + _WHY
_WHO = (
    r"(?:Static member (?P<member2>.+?) with instance id (?P<instance>.+?)|Member (?P<member>.+?))"
)
_PATTERNS = {
    "begins": (
        r"Preparing to rebalance group (?P<group>.+?)(?: in state (?P<state>"
        + STATE
        + r"))? with old generation (?P<number>\d+)"
        + _P
        + r"(?: \(reason: (?P<reason>.*?)\))?\.?"
    ),
    "joined": (
        r"Stabilized group (?P<group>.+?) generation (?P<number>\d+)"
        + _P
        + r"(?: with (?P<count>\d+) members)?\.?"
    ),
    "assigned": (
        r"Assignment received from leader(?: (?P<member>.+?))? for group (?P<group>.+?) for"
        r" generation (?P<number>\d+)\.?"
        r"(?: The group has (?P<count>\d+) members, (?P<static>\d+) of which are static\.)?"
    ),
    "empty": r"Group (?P<group>.+?) with generation (?P<number>\d+) is now empty" + _P + r"\.?",
    "joins": (
        r"Pending dynamic member with id (?P<member>.+?) joins group (?P<group>.+?) in (?P<state>"
        + STATE
        + r") state\. "
        r"Adding to the group now\.?"
    ),
    "static_joins": (
        r"Static member with groupInstanceId=(?P<instance>.+?) and unknown member id joins group"
        r" (?P<group>.+?) in "
        r"(?P<state>"
        + STATE
        + r") state\. Created a new member id (?P<member>.+?) for this member and add(?:ed)? to the"
        r" group\.?"
    ),
    "static_back": (
        r"Static member with groupInstanceId=(?P<instance>.+?) and unknown member id (?:re)?joins"
        r" group (?P<group>.+?) in "
        r"(?P<state>"
        + STATE
        + r") state\. Replacing previously mapped member (?P<member>.+?) with this"
        r" groupInstanceId\.?"
    ),
    "leaves": (
        r"\[Group(?:Id)? (?P<group>.+?)\] (?:Dynamic m|M)ember (?P<member>.+?) has left group"
        + _LEFT
    ),
    "leaves_static": (
        r"\[Group(?:Id)? (?P<group>.+?)\] Static member (?P<member>.+?) with instance id"
        r" (?P<instance>.+?) has left group" + _LEFT
    ),
    "leaves_3": (
        r"Member MemberMetadata\(memberId=(?P<member>.+?), groupInstanceId=(?P<instance>[^,]+),"
        r" clientId=(?P<client>[^,]*), clientHost=/"
        r"(?P<host>[^,]*), sessionTimeoutMs=(?P<session>\d+), (?P<more>.*?)\) has left group"
        r" (?P<group>.+?)" + _LEFT
    ),
    "leaves_2": (
        r"Member\[group\.instance\.id (?P<instance>.+?), member\.id (?P<member>.+?)\] in group"
        r" (?P<group>.+?) has left, "
        r"removing it from the group\.?"
    ),
    "fails": (
        r"Member (?P<member>.+?) in group (?P<group>.+?) has failed, removing it from the group\.?"
    ),
    "removed": (
        r"Group (?P<group>.+?) removed dynamic members who haven't joined: (?P<member>.+?)\.?"
    ),
    "loaded": r"Loaded (?:classic|consumer) group (?P<group>.+?) with (?P<count>\d+) members\.?",
    "loading": r"Loading group metadata for (?P<group>.+?) with generation (?P<number>\d+)\.?",
    "unloaded": (
        r"(?:\[GroupId=(?P<group>.+?)\] Unload(?P<more>.*)"
        r"|Unloading group metadata for (?P<group2>.+?) with generation (?P<number>\d+)\.?)"
    ),
    "bumped": (
        _GROUP
        + r"Bumped group epoch to (?P<number>\d+)(?: with metadata hash (?P<reason>-?\d+))?\.?"
    ),
    "target": (
        _GROUP
        + r"Computed a new target assignment for epoch (?P<number>\d+) with '(?P<reason>.+?)'"
        r" assignor "
        r"in \d+ms\.?"
    ),
    "enters": (
        _GROUP
        + _WHO
        + r" joins the consumer group using the (?P<state>consumer|classic) protocol\.?"
    ),
    "replaces": (
        _GROUP
        + r"Static member with instance id (?P<instance>.+?) re-joins the consumer group using the"
        r" (?:consumer|classic) protocol\. "
        r"Created a new member (?P<member>.+?) to replace the existing member (?P<reason>.+?)\.?"
    ),
    "away": (
        _GROUP
        + r"Static member (?P<member>.+?) with instance id (?P<instance>.+?) temporarily left the"
        r" consumer group\.?"
    ),
    "exits": _GROUP + _WHO + r" left the consumer group\.?",
    "fenced": (
        _GROUP + r"Member (?P<member>.+?) fenced from the group because "
        r"(?P<reason>the member session expired|it failed to transition from epoch -?\d+ within"
        r" \d+ms)\.?"
    ),
    "converted": (
        _GROUP
        + r"Converted the (?P<state>empty )?(?P<reason>"
        + _TYPE
        + " group to a "
        + _TYPE
        + r") group\.?"
    ),
    "member_state": _GROUP + r"Member (?P<member>.+?) new assignment state: (?P<reason>.*)",
    "subscribes": (
        _GROUP
        + r"Member (?P<member>.+?) updated its (?P<reason>subscribed topics|subscribed regex) to:"
        r" (?P<more>.*)"
    ),
    "hashed": _GROUP + r"Computed (?:a )?new metadata hash: (?P<reason>-?\d+)\.?",
}
_COMPILED = [(kind, re.compile(pattern)) for kind, pattern in _PATTERNS.items()]
_STARTS = (
    ("Preparing to rebalance group ", ("begins",)),
    ("Stabilized group ", ("joined",)),
    ("Assignment received from leader", ("assigned",)),
    ("Pending dynamic member with id ", ("joins",)),
    ("Static member with groupInstanceId=", ("static_joins", "static_back")),
    ("Member MemberMetadata(memberId=", ("leaves_3",)),
    ("Member[group.instance.id ", ("leaves_2",)),
    ("Member ", ("fails",)),
    ("Loaded ", ("loaded",)),
    ("Loading group metadata for ", ("loading",)),
    ("Unloading group metadata for ", ("unloaded",)),
    ("[GroupId=", ("unloaded",)),
    (
        "[GroupId ",
        (
            *(
                "bumped",
                "target",
                "away",
                "exits",
                "enters",
                "fenced",
                "replaces",
                "converted",
                "member_state",
                "subscribes",
            ),
            *("leaves", "leaves_static", "hashed"),
        ),
    ),
    ("[Group ", ("leaves", "leaves_static")),
    ("Group ", ("empty", "removed")),
)
_BY_START = tuple(
    (start, tuple((kind, dict(_COMPILED)[kind]) for kind in kinds)) for start, kinds in _STARTS
)
CUT = re.compile(
    r"Preparing to rebalance group .*|Stabilized group .*|Assignment received from leader"
    r" .*|Pending dynamic member with id .*"
    r"|Member MemberMetadata\(.*|Member\[group\.instance\.id .*|\[GroupId .+\] (?:Bumped group"
    r" ep|Computed a new target).*"
)
"""Starts of messages. A text that matches only the start is a truncated message."""
SAME_KIND = {
    "leaves_3": "leaves",
    "leaves_2": "leaves",
    "leaves_static": "leaves",
    "loading": "loaded",
    "static_joins": "joins",
}
"""Message kinds of older releases with the same meaning."""


def message_of(text: str) -> tuple[str, dict] | None:
    """Return the kind and parts of a coordinator's message, None for every other text."""
    match = _matched(text)
    return match and (match[0], match[1].groupdict())


def spelled(text: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the kind and the pieces of a message, None if the text is no message. A piece is a
    pair (name of the part, text); for Kafka's own words the name is "".
    """
    match = _matched(text)
    return match and (match[0], pieces_of(match[1]))


def pieces_of(match: re.Match) -> list[tuple[str, str]]:
    """Return the pieces of a matched text as pairs (name, text). Text between the named groups of
    the pattern has the name "".
    """
    pieces, at, text = [], 0, match.string
    spans = sorted(
        (*match.span(name), name) for name, part in match.groupdict().items() if part is not None
    )
    for begin, end, name in spans:
        if begin >= at:
            pieces += [("", text[at:begin]), (name, text[begin:end])]
            at = end
    return [*pieces, ("", text[at:])]


def _matched(text: str) -> tuple[str, re.Match] | None:
    for start, candidates in _BY_START:
        if text.startswith(start):
            for kind, pattern in candidates:
                if match := pattern.fullmatch(text):
                    return kind, match
            return None
    return None
