"""The best assignment under an objective and limits, its bounds, the gain of each move, and the
right number of members.
"""
