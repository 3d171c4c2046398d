"""Hypothesis without time limits: no test fails because the machine was busy."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "no time limits", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("no time limits")
