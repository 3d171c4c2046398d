"""What is wrong with one group: a file for each cause, in one order, only arrays; `data/diagnosis`
has the words.
"""

SHOWN = ("finding", "offer", "reading")
