"""What every assignor would do with a group: the comparison, the advice, their words and the
command.
"""

SHOWN = ("advice", "answer", "figure_words", "owner_tables", "quirk_words", "tables", "words")
