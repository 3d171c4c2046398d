"""Why did the group rebalance? Start, length and cause of each rebalance, and the setting that
would have avoided it.
"""

from evenkeel.dashboard.rebalances import body, source

chosen = source.require()
shown = chosen.shown
source.show(chosen, shown)
body.show(chosen, shown)
