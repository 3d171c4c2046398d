"""Which groups of a cluster or of a pasted listing need the reader? A click opens a group."""

from evenkeel.dashboard.groups import body

body.show()
