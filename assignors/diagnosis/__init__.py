"""The causes of a group's trouble, computed from arrays. Each cause has a file, and the order is
fixed. Their texts are in `data/diagnosis`.
"""

SHOWN = ("finding", "offer", "reading")
