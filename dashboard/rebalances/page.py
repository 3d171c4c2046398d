"""Why did the group rebalance? When, how long, from which cause, and which setting would prevent
it.
"""

from evenkeel.dashboard.rebalances import body, source

chosen = source.require()
shown = chosen.shown
source.show(chosen, shown)
body.show(chosen, shown)
