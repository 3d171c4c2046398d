"""What is wrong with one group: a cause a file, in one order, from arrays alone; `data/diagnosis`
has the words.
"""

SHOWN = ("finding", "offer", "reading")
