"""The packages that `make setup` installs are the ones that were tried, byte for byte."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def test_every_package_has_one_version_and_the_hashes_of_its_files():
    text = (_ROOT / "requirements.txt").read_text().replace("\\\n", "")
    packages = [line for line in text.splitlines() if line and not line.startswith("#")]

    assert packages
    assert [
        line
        for line in packages
        if not re.fullmatch(r"\S+==\S+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", line)
    ] == []
    assert "--require-hashes" in (_ROOT / "Makefile").read_text()
