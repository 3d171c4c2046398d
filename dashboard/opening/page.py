"""Open as a page: paste or drop the output of your tools."""

from evenkeel.dashboard.opening import start

start.show()
