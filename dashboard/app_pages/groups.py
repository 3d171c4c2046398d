"""Which groups of a live cluster lag, worst first."""

from evenkeel.dashboard.widgets.groups import live_list
from evenkeel.dashboard.widgets.parts import preload

live_list.show()
preload.show()
