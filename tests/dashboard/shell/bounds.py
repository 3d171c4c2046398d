"""Bounds: what a document, an edit or an address lets run in C or repeat within the server's own
process, and what holds each.

Uploads, logs and compressed files are read in processes of their own, with `[limits]` of memory and
time. The API answers in such processes too.
"""

from evenkeel.data.group.budget import LONGEST_NAME, MOST_EDITS, MOST_MATCHING
from evenkeel.data.group.columns.matching import MOST_EXPRESSION
from evenkeel.data.group.document.shape import MAX_PARTITIONS
from evenkeel.data.scenarios.application_edits.add_processes import MOST_PROCESSES
from evenkeel.data.scenarios.edits.add_members import MOST_MEMBERS
from evenkeel.data.scenarios.scenario.draft import MOST_BYTES
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS

BOUNDS = {
    "an expression": (
        f"{MOST_EXPRESSION:,} characters; RE2 captures nothing and compiles within its own limit of"
        " memory"
    ),
    "expressions of one group": (
        f"{MOST_MATCHING:,} partitions of work: characters of expressions by characters of topics"
    ),
    "expressions matched by edits": "the work of all steps, `SizeOfGroup.matching`",
    "a name in members that join": (
        f"{LONGEST_NAME:,} characters, and the bytes of a member in the footprint"
    ),
    "replicas of partitions that are added": (
        "the bytes of a replica in the footprint, `SizeOfGroup.set_topic`"
    ),
    "partitions by a number": f"the bytes of a partition in the footprint, and {MAX_PARTITIONS:,}",
    "members by a number": (
        f"{MOST_MEMBERS:,} of an edit, and the bytes of a member in the footprint"
    ),
    "instances by a number": (
        f"{MOST_PROCESSES:,} of an edit, and the bytes of a pair of task and instance in the"
        " footprint"
    ),
    "edits": f"{MOST_EDITS:,}; many leave the server's own process",
    "steps": (
        f"{MOST_STEPS:,}, the work of all of them, and a look whether the page is still there"
        " between two"
    ),
    "deflated steps of an address": f"{MOST_BYTES:,} bytes of JSON",
    "values within values": "the depth that msgspec reads",
    "digits of a number": "the range of the value: JSON's reader keeps no longer one",
}
