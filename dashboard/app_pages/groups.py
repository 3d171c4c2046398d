"""Which groups of a live cluster lag, worst first."""

from evenkeel.dashboard.widgets import groups
from evenkeel.dashboard.widgets.parts import preload

groups.show()
preload.show()
