"""The best assignment under an objective and limits, what bounds it, what each move buys, and the
right number of members.
"""

SHOWN = ("answer",)
