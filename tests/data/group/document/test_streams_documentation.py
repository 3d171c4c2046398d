"""What the documentation of the streams document shows works as it stands there."""

import json
import re
from pathlib import Path

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.data.compare.assign_command import answer

TEXT = (Path(__file__).parents[4] / "docs/streams-document.md").read_text()


def test_the_example_has_the_answer_that_is_shown():
    example, shown = map(json.loads, re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL))
    request = json.dumps({"assignor": "high-availability", "group": example}).encode()

    assert msgspec.to_builtins(answer(request)) == shown


def test_every_task_assignor_has_a_row():
    assert [name for name in TASK_ASSIGNORS if f"| `{name}` |" not in TEXT] == []
