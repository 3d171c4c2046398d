"""What goes to a terminal moves nothing in it."""

import json

from evenkeel.data.commands.main import main
from evenkeel.data.commands.text import json_line


def test_json_escapes_every_sign_that_moves_the_cursor_and_stays_the_same_value():
    value = {"name": "a\x1b[2J \x9b31m \x7f \u202e \u2028 \u2069 é ok", "plain": "x"}

    line = json_line(value)

    assert json.loads(line) == value
    assert all(sign.isprintable() for sign in line.removesuffix("\n"))
    assert "é ok" in line


def test_a_group_id_with_control_codes_is_escaped_in_the_json_of_a_snapshot(tmp_path, capsys):
    path = tmp_path / "g.json"
    path.write_text(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "pay\x9b31m", "topics": [], "members": []}
        )
    )

    assert main(["snapshot", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\\u009b31m" in out
    assert "\x9b" not in out
