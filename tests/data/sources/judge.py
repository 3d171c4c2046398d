"""Inputs of every tool, and whether what Evenkeel reads in them is their truth, kind by kind:
`python -m tests.data.sources.judge [FILE]`.

FILE has a line of JSON for each input: `name`, `kind`, `files` by name (bytes as Latin-1),
`checks`. A check is one run of a command with what it must give. Exit code 1 if an input is read
wrongly.
"""

import gzip
import io
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from evenkeel.data.commands.main import main

INPUTS = Path(__file__).with_name("inputs.jsonl.gz")

FIGURES = {
    "committed": "committed_offset",
    "end": "end_offset",
    "begin": "begin_offset",
}
ABOUT_MEMBERS = ("client_id", "host", "instance_id")


class Output(NamedTuple):
    """What a command wrote."""

    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[dict]:
        """Lines of JSON."""
        return list(map(json.loads, self.out.splitlines()))


def inputs(path: Path = INPUTS) -> list[dict]:
    """Return the inputs of a file."""
    with gzip.open(path, "rt") as lines:
        return list(map(json.loads, lines))


def faults(case: dict, folder: Path) -> list[str]:
    """Return what is read wrongly in an input; its files are written into an empty folder."""
    for name, text in case["files"].items():
        (folder / name).write_bytes(text.encode("latin-1"))
    with chdir(folder):
        return [
            f"{check['run']}: {fault}"
            for check in case["checks"]
            for fault in CHECKS[check["run"]](check)
        ]


def run(check: dict, command: str, *options: str) -> Output:
    """Run a command in this process."""
    words = [command, *check["inputs"], *options, *check["args"]]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    return Output(code, out.getvalue(), err.getvalue())


def differs(what: str, value: Any, expected: Any) -> Iterator[str]:
    """Yield a fault if a value is not the expected one."""
    if value != expected:
        yield f"{what} is {value!r}, expected {expected!r}"


# Groups as documents


def snapshot(check: dict) -> Iterator[str]:
    """Judge the documents of all groups."""
    output = run(check, "snapshot")
    if output.code:
        yield f"exit code {output.code}: {output.err}"
        return
    by_name = {document.get("group_id"): document for document in output.documents}
    expected = {group["group_id"]: group for group in check["groups"]}
    yield from differs("groups", sorted(by_name, key=str), sorted(expected, key=str))
    for name in by_name.keys() & expected.keys():
        yield from (f"{name}: {fault}" for fault in _of_group(by_name[name], expected[name]))
    rejected = sum(
        int(count.replace(",", ""))
        for count in re.findall(r"([\d,]+) of [\d,]+ lines? rejected", output.err)
    )
    if check.get("rejected") is not None:
        yield from differs("rejected lines", rejected, check["rejected"])


def _of_group(document: dict, expected: dict) -> Iterator[str]:
    owners = _owners(document)
    rows = {(row["topic"], row["partition"]): row for row in expected["rows"]}
    seen = dict(_partitions(document))
    for place, row in rows.items():
        for fault in _of_row(seen.get(place, {}), owners.get(place, []), row):
            yield f"{place}: {fault}"
    for place in (seen.keys() | owners.keys()) - rows.keys():
        if any(value is not None for value in seen.get(place, {}).values()) or owners.get(place):
            yield f"{place}: is invented"
    members = sorted(member["member_id"] for member in document["members"] or ())
    if isinstance(expected["members"], int):
        yield from differs("number of members", len(members), expected["members"])
    elif expected["members"] is not None:
        yield from differs("members", members, sorted(expected["members"]))
    for key in {"state", "type", "assignor"} & expected.keys():
        yield from differs(key, document[key], expected[key])
    sizes = {topic["name"]: _size(topic["partitions"]) for topic in document["topics"]}
    for topic, size in expected.get("topic_sizes", {}).items():
        yield from differs(f"size of {topic}", sizes.get(topic), size)
    if expected.get("taken_at"):
        time = (document["taken_at"] or "")[: len(expected["taken_at"])]
        yield from differs("time", time, expected["taken_at"])


def _size(partitions: Any) -> int:
    return partitions if isinstance(partitions, int) else len(partitions)


def _partitions(document: dict) -> Iterator[tuple[tuple[str, int], dict]]:
    for topic in document["topics"] or ():
        if not isinstance(topic["partitions"], int):
            for number, partition in enumerate(topic["partitions"]):
                yield (topic["name"], number), partition


def _owners(document: dict) -> dict[tuple[str, int], list[dict]]:
    owners: dict[tuple[str, int], list[dict]] = {}
    for member in document["members"] or ():
        held = member.get("current") or member.get("owned") or {}
        for topic, numbers in held.items():
            for number in numbers:
                owners.setdefault((topic, number), []).append(member)
    return owners


def _of_row(partition: dict, owners: list[dict], row: dict) -> Iterator[str]:
    known = {name: partition.get(key) for name, key in FIGURES.items()}
    known["lag"] = _lag(partition)
    for name, value in known.items():
        # An end offset and a lag beside the commit are the same knowledge.
        is_implied = name == "end" and row["end"] is None and _is_implied(value, row)
        if not is_implied:
            yield from differs(name, value, row[name])
    ids = sorted(owner["member_id"] for owner in owners)
    yield from differs("owners", ids, sorted(row["owners"]))
    if len(owners) == 1:
        for name in ABOUT_MEMBERS:
            if row[name] is not None:
                value = (owners[0].get(name) or "").lstrip("/")
                yield from differs(name, value, row[name].lstrip("/"))


def _is_implied(end: int | None, row: dict) -> bool:
    return None not in (end, row["committed"], row["lag"]) and end == row["committed"] + row["lag"]


def _lag(partition: dict) -> int | None:
    if partition.get("lag") is not None:
        return partition["lag"]
    end, committed = partition.get("end_offset"), partition.get("committed_offset")
    if end is None or committed is None:
        return None
    return max(0, end - max(committed, partition.get("begin_offset") or 0))


# Other commands


def compare(check: dict) -> Iterator[str]:
    """Judge total lag, notes, growth and words of the only group."""
    output = run(check, "compare", "--json")
    if output.code:
        yield f"exit code {output.code}: {output.err}"
        return
    (document,) = output.documents
    total = document["rows"][0]["total_lag"]
    yield from differs("total lag", total, check.get("total_lag", total))
    codes = {note["code"] for note in document["notes"]}
    yield from differs("missing notes", set(check.get("notes", ())) - codes, set())
    growth = document["growth"] or {}
    for key, value in check.get("growth", {}).items():
        yield from differs(f"growth of {key}", growth.get(key), value)
    for text in check.get("lacks", ()):
        yield from differs(f"{text!r} in the advice", text in document["advice"]["text"], False)


def rebalances(check: dict) -> Iterator[str]:
    """Judge rebalances and events of a log, in their order."""
    output = run(check, "rebalances", "--json")
    if output.code:
        yield f"exit code {output.code}: {output.err}"
        return
    for schema, key in (("rebalance", "rows"), ("log-event", "events")):
        rows = [row for row in output.documents if row["schema"] == f"evenkeel.{schema}/1"]
        expected = check.get(key)
        if expected is None:
            continue
        yield from differs(f"number of {key}", len(rows), len(expected))
        for number, (row, wanted) in enumerate(zip(rows, expected, strict=False), 1):
            for name, value in wanted.items():
                yield from _of_log(f"{schema} {number}: {name}", row, name, value)


def _of_log(what: str, row: dict, name: str, expected: Any) -> Iterator[str]:
    if name == "reason0":
        triggers = row["triggers"] or [{}]
        yield from differs(what, triggers[0].get("reason"), expected)
    elif name == "reason" and expected is not None:
        if expected not in (row[name] or ""):
            yield f"{what} is {row[name]!r}, expected {expected!r} in it"
    else:
        yield from differs(what, _filled(row.get(name)), _filled(expected))


def _filled(value: Any) -> Any:
    """Return partitions by topic in order, without topics of none."""
    if not isinstance(value, dict):
        return sorted(value) if isinstance(value, list) else value
    parts = {key: _filled(part) for key, part in value.items()}
    return {key: part for key, part in parts.items() if part != []}


def refused(check: dict) -> Iterator[str]:
    """Judge a refusal: exit code 2, nothing on standard output, and words in the error."""
    output = run(check, check["command"])
    yield from differs("exit code", output.code, 2)
    yield from differs("standard output", output.out.strip(), "")
    for text in check["says"]:
        if text.lower() not in output.err.lower():
            yield f"{text!r} is not in {output.err!r}"


CHECKS: dict[str, Callable[[dict], Iterator[str]]] = {
    "snapshot": snapshot,
    "compare": compare,
    "rebalances": rebalances,
    "refused": refused,
}


def judged(cases: list[dict]) -> int:
    """Print what is read wrongly, and how many inputs of each kind are read rightly."""
    right, every = Counter(), Counter()
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            wrong = faults(case, Path(folder))
        every[case["kind"]] += 1
        right[case["kind"]] += not wrong
        for fault in wrong:
            print(f"{case['name']}: {fault}")
    for kind in sorted(every):
        print(f"{kind}: {right[kind]} of {every[kind]} right")
    print(f"all: {right.total()} of {every.total()} right")
    return int(right != every)


if __name__ == "__main__":
    os.environ.setdefault("EVENKEEL_LAKE", tempfile.mkdtemp())
    sys.exit(judged(inputs(*map(Path, sys.argv[1:]))))
