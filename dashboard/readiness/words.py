"""Words of Readiness: the numbers above the list, the first sentence, and what releases of Kafka
mean for these groups.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenkeel.assignors.clients import JAVA
from evenkeel.assignors.protocol import CLASSIC
from evenkeel.assignors.readiness.facts import Broker, Reason, Verdict
from evenkeel.data.readiness.answer import Ready
from evenkeel.data.readiness.words import KINDS
from evenkeel.data.text.formats import count, exact

# The lowest metadata version of each release of Kafka. Brokers of a later release may still have
# this version.
_METADATA = (
    (30, "4.3"),
    (28, "4.2"),
    (26, "4.1"),
    (22, "4.0"),
    (21, "3.9"),
    (20, "3.8"),
    (15, "3.7"),
)
_RELEASES = ("4.3", "5.0", "6.0")
_CLASSIC = (Verdict.BLOCKED, Verdict.UNKNOWN, Verdict.NOTE, Verdict.READY)


def release_of(features: Mapping[str, int]) -> str:
    """Return the lowest possible release of the brokers, from the feature `metadata.version`. Empty
    if unknown.
    """
    level = features.get("metadata.version", 0)
    return next((release for least, release in _METADATA if level >= least), "")


def is_streams(reason: Reason) -> bool:
    """Return whether a group is blocked because it is a Kafka Streams application."""
    return reason.code == "user-data" and reason.facts.get("protocol") == "stream"


def kinds(groups: Sequence[Ready]) -> str:
    """Return the number of groups by worst reason: `116 client · 31 assignor · 20 Streams`."""
    counts = Counter(kind(group.judged.worst) for group in groups if group.judged.worst)
    return " · ".join(f"{exact(number)} {name}" for name, number in counts.most_common())


def kind(reason: Reason) -> str:
    """Return a reason, shortened to one or two words."""
    return "Streams" if is_streams(reason) else KINDS[reason.code]


class Counts(NamedTuple):
    """Groups by verdict, in the order of the list."""

    by_verdict: Mapping[Verdict, Sequence[Ready]]

    @classmethod
    def of(cls, groups: Sequence[Ready]) -> "Counts":
        by_verdict: dict[Verdict, list[Ready]] = {verdict: [] for verdict in Verdict}
        for group in groups:
            by_verdict[group.judged.verdict].append(group)
        return cls(by_verdict)

    def number(self, *verdicts: Verdict) -> int:
        """Return the number of groups with one of these verdicts."""
        return sum(len(self.by_verdict[verdict]) for verdict in verdicts)

    @property
    def classic(self) -> int:
        """Number of groups that are still classic."""
        return self.number(*_CLASSIC)


def sentence(counts: Counts, broker: Broker) -> tuple[str, str]:
    """Return the sentence about all groups, and a sentence on what it means for them."""
    total = counts.classic
    if not total:
        return "No classic group is left.", ""
    if broker.is_on is False:
        return (
            "No group can go: the brokers do not offer the consumer protocol.",
            " They need Kafka 4.0 or later and group.version 1.",
        )
    if broker.converts is False:
        lead = f"No group can move online: group.consumer.migration.policy is {broker.policy}."
        return lead, " Empty groups are accepted anyway."
    unknown = counts.by_verdict[Verdict.UNKNOWN]
    if len(unknown) == total and all(
        "bytes-unknown" in _open_questions(group) for group in unknown
    ):
        return f"Whether {count(total, 'classic group')} can go is unknown.", _missing_bytes(
            unknown
        )
    noted = counts.by_verdict[Verdict.NOTE]
    asking = sum(map(_asks_version, noted))
    notes = len(noted) - asking
    going = counts.number(Verdict.READY) + notes
    text = ""
    if notes and notes < going:
        text = f", {exact(notes)} of them with a note"
    elif notes and going > 1:
        text = ", each with a note"
    lead = f"{exact(going)} of {count(total, 'classic group')} can go{text}."
    return lead, _asking(asking) + _waiting(counts) + _assumed(counts)


def _asks_version(group: Ready) -> bool:
    """Return whether the verdict depends on an unknown release of a client."""
    return any(
        reason.code == "ask-version" and not reason.facts["version"]
        for reason in group.judged.reasons
    )


def _asking(number: int) -> str:
    if not number:
        return ""
    whose = "its clients are" if number == 1 else "their clients are"
    return f" {exact(number)} more can go if {whose} new enough: enter releases under Clients."


def _assumed(counts: Counts) -> str:
    """Return a sentence on groups that are assumed to be classic."""
    groups = [each for verdict in _CLASSIC for each in counts.by_verdict[verdict]]
    unknown = sum(each.facts.group_type is None for each in groups)
    return (
        f" The type of {count(unknown, 'group')} is unknown: classic is assumed." if unknown else ""
    )


def _missing_bytes(unknown: Sequence[Ready]) -> str:
    also = any("settings-unknown" in _open_questions(group) for group in unknown)
    needed = "the bytes of the members' assignments" + " and the brokers' settings" * also
    document = "a group document that has the bytes" + ", with the settings under Clients" * also
    return f" The verdict needs {needed}: read the live cluster, or give {document}."


def _waiting(counts: Counts) -> str:
    """Return a sentence on the reasons why groups are blocked, and on groups with an unknown
    verdict.
    """
    reasons = (group.judged.worst for group in counts.by_verdict[Verdict.BLOCKED])
    by_kind = Counter(kind(reason) for reason in reasons if reason)
    texts = {
        "client": (
            "waits for a client that supports the protocol",
            "wait for a client that supports the protocol",
        ),
        "assignor": (
            "has user data and can move only while all members are stopped",
            "have user data and can move only while all members are stopped",
        ),
        "Streams": ("is Kafka Streams", "are Kafka Streams"),
        "not consumers": ("is no group of consumers", "are no groups of consumers"),
    }
    parts = [
        f"{exact(number)}"
        f" {texts.get(name, (f'is blocked ({name})', f'are blocked ({name})'))[number > 1]}"
        for name, number in by_kind.most_common()
    ]
    unknown = counts.by_verdict[Verdict.UNKNOWN]
    hanging = sum(map(_hangs, unknown))
    which = "" if hanging == len(unknown) else f", {exact(hanging)} of them"
    then = f"{which} until you give the brokers' settings under Clients" * bool(hanging)
    parts += [f"{exact(len(unknown))} {'is' if len(unknown) == 1 else 'are'} unknown{then}"] * bool(
        unknown
    )
    return f" {', '.join(parts)}." if parts else ""


def _hangs(group: Ready) -> bool:
    """Return whether broker settings would be enough to judge a group whose verdict is unknown."""
    return _open_questions(group) == {"settings-unknown"}


def _open_questions(group: Ready) -> set[str]:
    return {reason.code for reason in group.judged.reasons if reason.kind == Verdict.UNKNOWN}


class Release(NamedTuple):
    """A release in the line of Kafka's releases. `text`: its meaning for these groups. `alarm`:
    groups that must change before this release.
    """

    name: str
    text: str
    alarm: str = ""


def releases(own: str, groups: Sequence[Ready]) -> list[Release]:
    """Return the brokers' own release, and each later release that matters for these groups."""
    java = [
        group for group in groups if group.facts.group_type == CLASSIC and JAVA in group.families
    ]
    blocked = sum(group.judged.verdict == Verdict.BLOCKED for group in java)
    still = f"{exact(blocked)} of them blocked" if blocked else ""
    meaning = {
        "4.3": Release("4.3", "classic Java clients log a hint"),
        "5.0": Release(
            "5.0",
            f"consumer is the default: {count(len(java), 'group')} with Java members may"
            " have no protocol set",
            still,
        ),
        "6.0": Release(
            "6.0",
            "Java drops classic",
            f"these {exact(blocked)} must have changed by then" if blocked else "",
        ),
    }
    later = [meaning[name] for name in _RELEASES if not own or _key(name) > _key(own)]
    return [
        Release(f"Kafka {own}, here" if own else "Here", "both protocols, classic is the default"),
        *later,
    ]


def _key(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))
