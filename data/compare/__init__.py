"""The comparison of assignors for a group: figures, texts, command."""

SHOWN = ("advice", "answer", "figure_words", "owner_tables", "quirk_words", "tables", "task_table")
