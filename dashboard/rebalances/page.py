"""Why did the group rebalance: when, how long, who, and which setting would have avoided it."""

from evenkeel.dashboard.rebalances import body, source

chosen = source.require()
shown = chosen.shown
source.show(chosen, shown)
body.show(chosen, shown)
