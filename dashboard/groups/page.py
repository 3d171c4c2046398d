"""Which groups of a cluster or of a paste need the reader; a press opens one."""

from evenkeel.dashboard.groups import body

body.show()
