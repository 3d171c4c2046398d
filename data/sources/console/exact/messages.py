"""Lines that are no data: blank ones, rules of pasted tables, and what tools print beside a listing."""

import re

_LEVEL = "TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL"
_MESSAGE = re.compile(
    "|".join(
        (
            r"\W*(Error|Warning|Note|WARN|WARNING|ERROR|INFO|NOTE): ?.*",
            r"(The )?([Cc]onsumer|[Ss]treams|[Ss]hare) group ['‘’\"“].*['’\"”] (has no active members|is rebalancing|does not exist)\.?",
            r"(Error: )?(Executing consumer group command failed|Error while executing).*",
            rf"\[\d{{4}}-\d\d-\d\d .*\] ({_LEVEL}) .*",
            rf"\d{{4}}-\d\d-\d\d[ T][\d:.,]+\S* .*\b({_LEVEL})\b.*",
            rf"({_LEVEL}) .*",
            r"(log4j|SLF4J|StatusLogger|main ERROR|ERROR StatusLogger)[: ].*",
            r"(OpenJDK|Java HotSpot\(TM\)) .*warning: .*",
            r"Picked up (_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS): .*",
            r"\s+at [\w.$/<>@]+\(.*\)( ~?\[.*\])?",
            r"\s*\.\.\. \d+ (more|common frames omitted)",
            r"(Caused by: |Exception in thread .*|Suppressed: |\s+Suppressed: )?([a-z]\w*\.)+[A-Z][\w$]*(Exception|Error|Throwable)\b.*",
            r"(No broker for partition|Could not fetch offset for|Could not parse broker info|Exiting due to:?) .*",
            r"BROKER INFO|\d+ -> \S+:\d+",
        )
    ),
    re.DOTALL,
)
_BLANK = " \t\r\u00a0\ufeff"
_ENOUGH = 2_000
_RULE = re.compile(r"[|+][-:=|+ \u2013\u2014]*[-=\u2013\u2014][-:=|+ \u2013\u2014]*")


def is_note(text: str) -> bool:
    """Tell whether a line is blank, a rule of a table or a message of a tool."""
    if not text.strip(_BLANK):
        return True
    head = text[:_ENOUGH]
    return bool(_RULE.fullmatch(head.strip()) or _MESSAGE.fullmatch(head.rstrip()))
