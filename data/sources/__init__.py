"""Sources of groups: each source reads bytes into tables; `detection.py` lists them in the order in
which it asks them.
"""
