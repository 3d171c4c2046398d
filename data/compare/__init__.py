"""The comparison of the assignments that all assignors give a group: figures, texts, command."""

SHOWN = ("advice", "answer", "figure_words", "owner_tables", "quirk_words", "tables", "task_table")
