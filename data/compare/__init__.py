"""The comparison of all assignors' answers for a group: figures, words and the command."""

SHOWN = ("advice", "answer", "figure_words", "owner_tables", "quirk_words", "tables", "task_table")
