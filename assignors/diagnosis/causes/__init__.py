"""One file for each cause. It has `CODE` and `find(case)`, which returns a finding; None if the
cause does not apply.
"""
