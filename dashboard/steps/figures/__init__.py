"""Figures of What-if, one a module: lag and moves over steps, members, two sides, scenarios."""
