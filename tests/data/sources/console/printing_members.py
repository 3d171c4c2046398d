"""`--members` as Kafka's tools print it."""

from typing import NamedTuple

from tests.data.sources.console.printing import java_format, text_of, widest


class Member(NamedTuple):
    """What the tool knows of one member; `owned` and `target` by topic."""

    group: str
    member: str
    host: str
    client: str
    owned: dict[str, list[int]]
    instance: str = ""
    epoch: int | None = None
    target: dict[str, list[int]] | None = None
    target_epoch: int | None = None


def _until_3_7(owned):
    return (
        ", ".join(
            sorted(
                f"{topic}({','.join(map(str, sorted(partitions)))})"
                for topic, partitions in owned.items()
            )
        )
        or "-"
    )


def _names_lost(owned):
    return (
        ", ".join(
            sorted(f"({','.join(sorted(map(str, partitions)))})" for partitions in owned.values())
        )
        or "-"
    )


def _since_4_0(owned):
    return (
        ";".join(
            sorted(
                f"{topic}:{','.join(map(str, sorted(partitions)))}"
                for topic, partitions in (owned or {}).items()
            )
        )
        or "-"
    )


def _count(member):
    return str(sum(map(len, member.owned.values())))


def members_2_0(members, assignment=_until_3_7):
    member, host, client = (
        widest(15, (getattr(one, name) for one in members)) for name in ("member", "host", "client")
    )
    pattern = f"%-{member}s %-{host}s %-{client}s %-15s %s"
    rows = (
        java_format(
            pattern,
            one.member,
            one.host,
            one.client,
            _count(one),
            assignment(one.owned) if assignment else "",
        )
        for one in members
    )
    return "\n" + "\n".join(
        [
            java_format(
                pattern,
                "CONSUMER-ID",
                "HOST",
                "CLIENT-ID",
                "#PARTITIONS",
                "ASSIGNMENT" if assignment else "",
            ),
            *rows,
            "",
        ]
    )


def members_2_3(members, assignment=_until_3_7):
    """2.3 to 3.9; GROUP-INSTANCE-ID since 2.6, where some member is static. `assignment` None:
    without --verbose.
    """
    pattern, static = _members_pattern(members)
    header = java_format(pattern, *_members_header(static)) + ("ASSIGNMENT" if assignment else "")
    rows = (
        java_format(pattern, *_members_cells(one, static))
        + (assignment(one.owned) if assignment else "")
        for one in members
    )
    return "\n" + "\n".join([header, *rows, ""])


def members_3_8(members):
    return members_2_3(members, _names_lost)


def members_4_verbose(members, upgraded=None):
    pattern, static = _members_pattern(members)
    current, target = (
        widest(20, (_since_4_0(getattr(one, name)) for one in members))
        for name in ("owned", "target")
    )
    pattern += f"%-15s %-{current}s %-15s %-{target}s" + (" %s" if upgraded else "")
    names = ("CURRENT-EPOCH", "CURRENT-ASSIGNMENT", "TARGET-EPOCH", "TARGET-ASSIGNMENT") + (
        ("UPGRADED",) if upgraded else ()
    )
    rows = [java_format(pattern, *_members_header(static), *names)]
    for at, one in enumerate(members):
        cells = (
            text_of(one.epoch),
            _since_4_0(one.owned),
            text_of(one.target_epoch),
            _since_4_0(one.target),
        ) + ((upgraded[at],) if upgraded else ())
        rows.append(java_format(pattern, *_members_cells(one, static), *cells))
    return "\n" + "\n".join([*rows, ""])


def _members_pattern(members):
    group, member, host, client = (
        widest(15, (getattr(one, name) for one in members))
        for name in ("group", "member", "host", "client")
    )
    static = any(one.instance for one in members)
    instance = f"%-{widest(17, (one.instance for one in members))}s " if static else ""
    return f"%-{group}s %-{member}s {instance}%-{host}s %-{client}s %-15s ", static


def _members_header(static):
    return (
        "GROUP",
        "CONSUMER-ID",
        *(("GROUP-INSTANCE-ID",) if static else ()),
        "HOST",
        "CLIENT-ID",
        "#PARTITIONS",
    )


def _members_cells(one, static):
    return (
        one.group,
        one.member,
        *((one.instance,) if static else ()),
        one.host,
        one.client,
        _count(one),
    )
