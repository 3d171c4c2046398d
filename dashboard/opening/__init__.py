"""From an address, a text or a file to the open group: the dialog Open, and its box."""

SHOWN = ("dialog", "import_result", "start")
