"""One group over time, as arrays: rates, time lag, verdicts, capacities, and who owned what
when.
"""

SHOWN = (
    "draws",
    "now",
    "series",
    "speed",
    "stuck",
    "time_lag",
    "verdicts",
)
