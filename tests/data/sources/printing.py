"""Listings as Kafka's tools print them: the printf formats of each version, with Java's padding."""

import re
from typing import NamedTuple


class Line(NamedTuple):
    """What the tool knows of one partition, None where it prints that there is nothing."""

    group: str
    topic: str | None
    partition: int | None
    committed: int | None
    end: int | None
    member: str | None
    host: str | None
    client: str | None
    epoch: int | None = None

    @property
    def lag(self):
        return None if None in (self.committed, self.end) else self.end - self.committed


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


def java_width(text):
    """Return `String.length()`."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def java_format(pattern, *cells):
    """Return `String.format` of `%s` and `%-<width>s`; a width of 0 stands for none."""
    texts = iter(cells)
    return re.sub(r"%(?:-(\d+))?s", lambda found: (text := next(texts)) + " " * (int(found[1] or 0) - java_width(text)), pattern)


def _text(value, missing="-"):
    return missing if value is None else str(value)


def _widest(least, texts):
    return max([least, *map(java_width, texts)])


def _owner(line):
    return "none" if line.member is None else f"{line.client}_{line.host}"


def _old_rows(pattern, header, lines):
    numbers = ([_text(number, "unknown") for number in (line.committed, line.end, line.lag)] for line in lines)
    rows = [java_format(pattern, line.group, line.topic, str(line.partition), *cells, _owner(line)) for line, cells in zip(lines, numbers)]
    return "\n".join([java_format(pattern, *header), *rows, ""])


def kafka_0_8_2(lines):
    return _old_rows("%-15s %-30s %-3s %-15s %-15s %-15s %s", "Group Topic Pid Offset logSize Lag Owner".split(), lines)


def kafka_0_9_0(lines):
    return _old_rows("%s, %s, %s, %s, %s, %s, %s", ("GROUP", "TOPIC", "PARTITION", "CURRENT OFFSET", "LOG END OFFSET", "LAG", "OWNER"), lines)


def kafka_0_10_0(lines):
    return _old_rows("%-30s %-30s %-10s %-15s %-15s %-15s %s", ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "OWNER"), lines)


_COLUMNS = ("TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID")


def _cells(line):
    return tuple(_text(cell) for cell in (line.topic, line.partition, line.committed, line.end, line.lag, line.member, line.host, line.client))


def kafka_0_10_2(lines):
    pattern = "%-30s %-10s %-15s %-15s %-10s %-50s%-30s %s"
    return "\n" + "\n".join([java_format(pattern, *_COLUMNS), *(java_format(pattern, *_cells(line)) for line in lines), ""])


def _new_pattern(lines):
    topic, member, host = (_widest(15, (_text(getattr(line, name)) for line in lines)) for name in ("topic", "member", "host"))
    return f"%-{topic}s %-10s %-15s %-15s %-15s %-{member}s %-{host}s %s"


def kafka_2_0(lines):
    """1.1 to 2.2."""
    pattern = _new_pattern(lines)
    return "\n" + "\n".join([java_format(pattern, *_COLUMNS), *(java_format(pattern, *_cells(line)) for line in lines), ""])


def _by_group(lines):
    groups = dict.fromkeys(line.group for line in lines)
    return [[line for line in lines if line.group == group] for group in groups]


def kafka_2_3(lines):
    """2.3 to 4.x: a block for each group."""
    text = ""
    for block in _by_group(lines):
        pattern = f"\n%-{_widest(15, (line.group for line in block))}s {_new_pattern(block)}"
        text += java_format(pattern, "GROUP", *_COLUMNS) + "".join(java_format(pattern, line.group, *_cells(line)) for line in block) + "\n"
    return text


def kafka_4_verbose(lines):
    text = ""
    for block in _by_group(lines):
        pattern = f"\n%-{_widest(15, (line.group for line in block))}s " + _new_pattern(block).replace("%-10s", "%-10s %-15s", 1)
        rows = ((line.group, *_cells(line)[:2], _text(line.epoch), *_cells(line)[2:]) for line in block)
        text += java_format(pattern, "GROUP", *_COLUMNS[:2], "LEADER-EPOCH", *_COLUMNS[2:]) + "".join(java_format(pattern, *row) for row in rows) + "\n"
    return text


def _until_3_7(owned):
    return ", ".join(sorted(f"{topic}({','.join(map(str, sorted(partitions)))})" for topic, partitions in owned.items())) or "-"


def _names_lost(owned):
    return ", ".join(sorted(f"({','.join(sorted(map(str, partitions)))})" for partitions in owned.values())) or "-"


def _since_4_0(owned):
    return ";".join(sorted(f"{topic}:{','.join(map(str, sorted(partitions)))}" for topic, partitions in (owned or {}).items())) or "-"


def _count(member):
    return str(sum(map(len, member.owned.values())))


def members_2_0(members, assignment=_until_3_7):
    member, host, client = (_widest(15, (getattr(one, name) for one in members)) for name in ("member", "host", "client"))
    pattern = f"%-{member}s %-{host}s %-{client}s %-15s %s"
    rows = (java_format(pattern, one.member, one.host, one.client, _count(one), assignment(one.owned) if assignment else "") for one in members)
    return "\n" + "\n".join([java_format(pattern, "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS", "ASSIGNMENT" if assignment else ""), *rows, ""])


def members_2_3(members, assignment=_until_3_7):
    """2.3 to 3.9; GROUP-INSTANCE-ID since 2.6, where some member is static. `assignment` None: without --verbose."""
    pattern, static = _members_pattern(members)
    header = java_format(pattern, *_members_header(static)) + ("ASSIGNMENT" if assignment else "")
    rows = (java_format(pattern, *_members_cells(one, static)) + (assignment(one.owned) if assignment else "") for one in members)
    return "\n" + "\n".join([header, *rows, ""])


def members_3_8(members):
    return members_2_3(members, _names_lost)


def members_4_verbose(members, upgraded=None):
    pattern, static = _members_pattern(members)
    current, target = (_widest(20, (_since_4_0(getattr(one, name)) for one in members)) for name in ("owned", "target"))
    pattern += f"%-15s %-{current}s %-15s %-{target}s" + (" %s" if upgraded else "")
    names = ("CURRENT-EPOCH", "CURRENT-ASSIGNMENT", "TARGET-EPOCH", "TARGET-ASSIGNMENT") + (("UPGRADED",) if upgraded else ())
    rows = [java_format(pattern, *_members_header(static), *names)]
    for at, one in enumerate(members):
        cells = (_text(one.epoch), _since_4_0(one.owned), _text(one.target_epoch), _since_4_0(one.target)) + ((upgraded[at],) if upgraded else ())
        rows.append(java_format(pattern, *_members_cells(one, static), *cells))
    return "\n" + "\n".join([*rows, ""])


def _members_pattern(members):
    group, member, host, client = (_widest(15, (getattr(one, name) for one in members)) for name in ("group", "member", "host", "client"))
    static = any(one.instance for one in members)
    instance = f"%-{_widest(17, (one.instance for one in members))}s " if static else ""
    return f"%-{group}s %-{member}s {instance}%-{host}s %-{client}s %-15s ", static


def _members_header(static):
    return ("GROUP", "CONSUMER-ID", *(("GROUP-INSTANCE-ID",) if static else ()), "HOST", "CLIENT-ID", "#PARTITIONS")


def _members_cells(one, static):
    return (one.group, one.member, *((one.instance,) if static else ()), one.host, one.client, _count(one))
