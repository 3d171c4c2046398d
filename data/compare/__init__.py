"""All assignors' answers for a group: the comparison, its words and the command."""

SHOWN = ("advice", "answer", "figure_words", "owner_tables", "quirk_words", "tables", "task_table")
