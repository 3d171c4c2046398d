"""The page Readiness."""
