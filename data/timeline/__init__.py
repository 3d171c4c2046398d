"""A group over time: its readings, its drain time, its rates for an advance, and its history under
other assignors.
"""

SHOWN = ("reading_times", "words")
