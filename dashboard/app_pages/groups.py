"""Which groups of a live cluster lag, worst first."""

from dashboard.widgets import live_list, loaded_ahead

live_list.show()
loaded_ahead.show()
