"""The best assignment of a group: requests, answers, their texts, and the command `best`."""

SHOWN = ("answer", "answer_json", "request", "tables")
