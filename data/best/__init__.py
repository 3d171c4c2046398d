"""The best assignment of a group: requests by name, answers, their words, and the command."""

SHOWN = ("answer", "answer_json", "request", "tables")
