"""Which groups of a live cluster lag, worst first."""

from evenkeel.dashboard.groups import body
from evenkeel.dashboard.parts import plot

body.show()
plot.load_ahead()
