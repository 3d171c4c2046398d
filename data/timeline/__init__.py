"""A group over time: its readings, its drain time, and its history under other assignors."""

SHOWN = ("reading_times", "words")
