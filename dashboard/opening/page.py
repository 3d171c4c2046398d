"""Open as a page of its own: paste or drop what your tools print."""

from evenkeel.dashboard.opening import start
from evenkeel.dashboard.parts import plot

start.show()
plot.load_ahead()
