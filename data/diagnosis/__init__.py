"""The diagnosis of a group, in words and as JSON: for pages, commands, shares and programs."""

SHOWN = ("answer", "chosen", "condition", "many", "reading", "stored", "summary")
