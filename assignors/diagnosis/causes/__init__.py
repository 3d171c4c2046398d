"""One file a cause: `CODE`, and `find(case)`, which returns a finding, or None if the cause does
not hold.
"""
