"""Check before the deployment what a group would get from the assignor `lag`:
`python -m evenkeel_assignors check --bootstrap-server ... --group ...`.

The command reads lags like the assignor, with the installed client, and reports whether the rights
suffice. It writes nothing to Kafka. Exit code 0 if the assignor could run, 1 if something is
missing, 2 if Kafka cannot be read.
"""

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evenkeel_assignors import rule, user_data
from evenkeel_assignors.kafka_lags import AiokafkaReads, KafkaPythonReads
from evenkeel_assignors.reading import Lags, places, words
from evenkeel_assignors.rule import Held, Member

READY, MISSING, UNASKED = 0, 1, 2
_CLIENTS = {"kafka-python": "kafka", "aiokafka": "aiokafka"}
_LIMIT_SECONDS = 10.0
_MOST_MEMBERS = 50
_OURS = ("lag", "cooperative-lag")
_RIGHTS = {
    "GroupAuthorizationFailed": "DESCRIBE on the group",
    "TopicAuthorizationFailed": "DESCRIBE on its topics",
}
_NOT_FOUND = "GroupIdNotFoundError"
_STABLE = "Stable"


class _Group(NamedTuple):
    """The coordinator's answer about a group: the members with their owned partitions, and the user
    data of each member.
    """

    state: str
    protocol: str
    members: list[Member]
    reports: list[user_data.MemberReport]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _options(arguments)
    try:
        settings = _settings(options)
        client = options.client or next(
            (name for name, package in _CLIENTS.items() if importlib.util.find_spec(package)), None
        )
        if client is None:
            raise ModuleNotFoundError("no client is installed, expected kafka-python or aiokafka")
        reader = (_AskKafkaPython if client == "kafka-python" else _AskAiokafka)(settings)
    except (OSError, ValueError, ModuleNotFoundError) as error:
        print(f"evenkeel_assignors check: {error}", file=sys.stderr)
        return UNASKED
    try:
        return _check(reader, options.group)
    except Exception as error:
        return _refused(error, options.group)
    finally:
        reader.reads.close()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    text = __doc__.partition("\n\n")[2]
    parser = argparse.ArgumentParser(prog="python -m evenkeel_assignors", description=text)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser(
        "check",
        help="print what a group would get by lag, and whether the rights suffice",
        description=text,
    )
    check.add_argument(
        "--bootstrap-server", metavar="HOST:PORT", help="one or more brokers, separated by commas"
    )
    check.add_argument(
        "--group",
        required=True,
        metavar="GROUP",
        help="the group to check; the command does not join it",
    )
    check.add_argument(
        "--settings",
        metavar="FILE",
        help="JSON object of the consumer's settings, with the client's setting names",
    )
    check.add_argument(
        "--client",
        choices=_CLIENTS,
        help="the client of the settings (default: the installed client)",
    )
    check.add_argument(
        "--auto-offset-reset",
        metavar="earliest|latest",
        help="reset of a partition without a commit (default: latest)",
    )
    return parser.parse_args(arguments)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    settings = (
        json.loads(Path(options.settings).read_text(encoding="utf-8")) if options.settings else {}
    )
    if not isinstance(settings, dict):
        raise ValueError(
            f"{options.settings}: found {type(settings).__name__}, expected a JSON object of"
            " settings"
        )
    given = {
        "bootstrap_servers": options.bootstrap_server,
        "auto_offset_reset": options.auto_offset_reset,
    }
    settings |= {key: value for key, value in given.items() if value is not None} | {
        "group_id": options.group
    }
    if not settings.get("bootstrap_servers"):
        raise ValueError(
            "no broker is named, expected --bootstrap-server HOST:PORT, or bootstrap_servers in"
            " --settings"
        )
    return settings


def _check(reader: Any, group_id: str) -> int:
    group = reader.group(group_id)
    if not group.members:
        print(
            f"{group_id}: {group.state}, no members of a classic group: there is no assignment to"
            " compare"
        )
        return MISSING
    if group.state != _STABLE:
        print(
            f"{group_id}: {group.state}: members show no topics yet; ask again when the group is"
            f" {_STABLE}"
        )
        return MISSING
    partitions = reader.partitions(
        {topic for member in group.members for topic in member.subscribed}
    )
    if not partitions:
        print(
            f"{group_id}: {group.state}, members {len(group.members)}: none of their topics exists,"
            " so no lag can be read"
        )
        return MISSING
    began = time.monotonic()
    lags = reader.reads.read(partitions)
    seconds = time.monotonic() - began
    count = sum(map(len, partitions.values()))
    print(
        f"{group_id}: {group.state}, {group.protocol}, members {len(group.members)}, topics"
        f" {len(partitions)}, partitions {count}"
    )
    print(
        "rights suffice: the group's commits, and the begin and end offsets of its topics, were"
        f" read in {seconds:.3f} s"
    )
    _show_reports(group)
    return _show(group, partitions, lags)


def _show(group: _Group, partitions: Mapping[str, Sequence[int]], lags: Lags) -> int:
    """Print a table and a summary: the partitions and lag that each member has now, and would have
    after an assignment by lag.
    """
    now = {
        member.member_id: {topic: sorted(some) for topic, some in member.owned.items()}
        for member in group.members
    }
    then, topics_kept = rule.assign(group.members, partitions, lags)
    rows = [("member", "now: partitions, lag", "by lag: partitions, lag")]
    rows += [
        (member_id, _share(now[member_id], lags), _share(then[member_id], lags))
        for member_id in sorted(now, key=lambda member_id: -_lag(now[member_id], lags))
    ]
    widths = [max(map(len, column)) for column in zip(*rows[: _MOST_MEMBERS + 1], strict=True)]
    for member, *shares in rows[: _MOST_MEMBERS + 1]:
        cells = [share.rjust(width) for share, width in zip(shares, widths[1:], strict=True)]
        print("  ".join([member.ljust(widths[0]), *cells]))
    if len(rows) > _MOST_MEMBERS + 1:
        print(f"and {len(rows) - 1 - _MOST_MEMBERS} more members")
    moved = len(_owners(then).items() - _owners(now).items())
    before, after = (max(_lag(held, lags) for held in shares.values()) for shares in (now, then))
    print(
        f"worst member: {before:,} records behind now, {after:,} by lag; {moved} of"
        f" {rule.count(then)} partitions would change owner"
    )
    if topics_kept:
        print(f"lags of {', '.join(topics_kept)} are unknown: owners would keep their partitions")
    return MISSING if topics_kept else READY


def _show_reports(group: _Group) -> None:
    """Print whether the group uses this assignor already, and which members could not read lags
    when they were the leader.
    """
    if group.protocol in _OURS and user_data.NOTHING not in group.reports:
        print(f"the group runs Evenkeel's assignor {group.protocol}")
    for member, report in zip(group.members, group.reports, strict=True):
        if report.kept_topics:
            topics = ", ".join(report.kept_topics)
            print(f"{member.member_id} kept the owners of {topics} when it last led: {report.why}")


def _owners(assignment: Mapping[str, Held]) -> dict[rule.Place, str]:
    owners = {}
    for member, held in assignment.items():
        owners |= dict.fromkeys(places(held), member)
    return owners


def _lag(held: Held, lags: Lags) -> int:
    return sum(lags.get(place, 0) for place in places(held))


def _share(held: Held, lags: Lags) -> str:
    return f"{len(places(held))}, {_lag(held, lags):,}"


def _refused(error: Exception, group_id: str) -> int:
    name = type(error).__name__
    if right := next((right for begin, right in _RIGHTS.items() if name.startswith(begin)), None):
        print(f"{group_id}: the right {right} is missing: {words(error)}")
        return MISSING
    if name == _NOT_FOUND:
        print(f"{group_id}: the cluster has no such classic group")
        return MISSING
    print(f"evenkeel_assignors check: {group_id}: {words(error)}", file=sys.stderr)
    return UNASKED


class _AskKafkaPython:
    """Reads a group and its topics with kafka-python."""

    def __init__(self, settings: Mapping[str, Any]):
        self.reads = KafkaPythonReads(settings, _LIMIT_SECONDS)

    def group(self, group_id: str) -> _Group:
        """Describe the group."""
        from kafka import errors

        self.reads.open()
        group = self.reads.client.describe_groups([group_id])[group_id]
        if group["error"]:
            code = int(group["error"].partition("]")[0].rpartition(" ")[2])
            raise errors.for_code(code)(group_id)
        reports = [
            user_data.decode(_bytes((member["member_metadata"] or {}).get("user_data")))
            for member in group["members"]
        ]
        return _Group(
            group["group_state"],
            group["protocol_data"],
            [_of_kafka_python(member) for member in group["members"]],
            reports,
        )

    def partitions(self, topics: set[str]) -> dict[str, list[int]]:
        """Return the partitions of each topic."""
        return {
            topic["name"]: sorted(each["partition_index"] for each in topic["partitions"])
            for topic in _known(self.reads.client.describe_topics(sorted(topics)), "kafka.errors")
        }


def _of_kafka_python(member: Mapping[str, Any]) -> Member:
    sent, given = member["member_metadata"] or {}, member["member_assignment"] or {}
    owned = {each["topic"]: each["partitions"] for each in given.get("assigned_partitions", ())}
    return Member(member["member_id"], sent.get("topics") or sorted(owned), owned)


def _bytes(value: Any) -> Any:
    """Return the bytes that a member sent. kafka-python may give them as a base64 text."""
    import base64

    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else value
    except ValueError:
        return value.encode()


class _AskAiokafka:
    """Reads a group and its topics with aiokafka."""

    def __init__(self, settings: Mapping[str, Any]):
        self.reads = AiokafkaReads(settings, _LIMIT_SECONDS)

    def group(self, group_id: str) -> _Group:
        """Describe the group."""
        from aiokafka.coordinator.protocol import ConsumerProtocol
        from aiokafka.errors import for_code

        self.reads.open()
        (answer,) = self.reads.run(self.reads.admin.describe_consumer_groups([group_id]))
        code, _, state, _, protocol, described, *_ = answer.groups[0]
        if code:
            raise for_code(code)(group_id)
        members, reports = [], []
        for member_id, _, _, metadata, assignment in described:
            sent = ConsumerProtocol.METADATA.decode(metadata) if metadata else None
            given = ConsumerProtocol.ASSIGNMENT.decode(assignment).assignment if assignment else []
            members.append(
                Member(
                    member_id,
                    sent.subscription if sent else sorted(topic for topic, _ in given),
                    dict(given),
                )
            )
            reports.append(user_data.decode(sent.user_data if sent else None))
        return _Group(state, protocol, members, reports)

    def partitions(self, topics: set[str]) -> dict[str, list[int]]:
        """Return the partitions of each topic."""
        topics_read = self.reads.run(self.reads.admin.describe_topics(sorted(topics)))
        return {
            topic["topic"]: sorted(each["partition"] for each in topic["partitions"])
            for topic in _known(topics_read, "aiokafka.errors")
        }


def _known(described: Sequence[Mapping[str, Any]], errors: str) -> list[Mapping[str, Any]]:
    """Return the topics that exist. Raise an error if the right to describe a topic is missing."""
    for topic in described:
        error = importlib.import_module(errors).for_code(topic["error_code"])
        if error.__name__.startswith("TopicAuthorizationFailed"):
            raise error(topic.get("name") or topic.get("topic"))
    return [topic for topic in described if not topic["error_code"]]


if __name__ == "__main__":
    sys.exit(main())
