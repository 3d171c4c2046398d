"""The best assignment under an objective and limits. Also lower bounds, the gain of each further
move, and how many members help.
"""
