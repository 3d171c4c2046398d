"""A group over time: its readings, when it drains, its rates for an advance, and its history under
other assignors.
"""

SHOWN = ("reading_times", "words")
