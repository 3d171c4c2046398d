"""One group over time, as arrays: time lag, verdicts, and the owners of each partition over
time.
"""

SHOWN = (
    "draws",
    "now",
    "stuck",
    "time_lag",
    "verdicts",
)
