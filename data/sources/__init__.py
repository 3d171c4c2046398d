"""Sources of groups. Each source reads one kind of text into tables; `detection.py` lists the
sources in the order in which they are tried.
"""
