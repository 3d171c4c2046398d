"""Which groups of a live cluster lag, worst first."""

from dashboard.widgets.groups import live_list
from dashboard.widgets.parts import preload

live_list.show()
preload.show()
