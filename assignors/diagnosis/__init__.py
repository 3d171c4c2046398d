"""The causes of a group's problems, computed from arrays, in a fixed order. Each cause has a file
here, and its texts in `data/diagnosis`.
"""

SHOWN = ("finding", "offer", "reading")
