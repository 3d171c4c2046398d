"""Which groups of a live cluster lag, worst first."""

from evenkeel.dashboard.widgets import groups
from evenkeel.dashboard.widgets.parts import plot

groups.show()
plot.load_ahead()
