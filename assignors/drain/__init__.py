"""When lags are worked off: members read at constant rates and serve their partitions in turn."""
