"""What stands above every page of a group: which group, which candidate, which release, how
complete the input is.
"""
