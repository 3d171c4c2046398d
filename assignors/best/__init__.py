"""The best assignment under an objective and limits. Also lower bounds, the gain of each further
move, and how many members help.

The objective gives each member a value: its lag, its rate or its drain time. The value of an
assignment is the value of its worst member. A partition is in play if the search may choose its
owner. Its home is the present owner, if this member may own it.
"""
