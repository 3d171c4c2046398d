"""Which groups need the reader, of a cluster or of what was pasted; a press opens one."""

from evenkeel.dashboard.groups import body

body.show()
