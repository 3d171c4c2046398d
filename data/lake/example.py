"""The example cluster: a day of generated groups, stored next to the code as a collector stores
slots. No broker has it, and its present is its last slot.
"""

from pathlib import Path

from evenkeel.data.lake.place import Place

NAME = "example"
PLACE = Place(str(Path(__file__).resolve().parent / "example_cluster"))
