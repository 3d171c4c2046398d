"""Ways to open a group: from an address, a pasted text or a file. The dialog Open, and its box."""

SHOWN = ("dialog", "import_result", "start")
