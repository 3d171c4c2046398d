"""One group over time, as arrays: rates, time lag, verdicts, capacities, and who owned what
when.
"""

SHOWN = (
    "diagnosis",
    "draws",
    "now",
    "ownership",
    "series",
    "speed",
    "stuck",
    "time_lag",
    "verdicts",
)
