"""Open as a page of its own: paste or drop what your tools print."""

from evenkeel.dashboard.opening import start

start.show()
