"""Why did the group rebalance? Cause, time and length of each rebalance; settings that prevent
them.
"""

from evenkeel.dashboard.rebalances import body, source

chosen = source.require()
shown = chosen.shown
source.show(chosen, shown)
body.show(chosen, shown)
