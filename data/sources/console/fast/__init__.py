"""Whole columns at once, where the lines are regular; the exact path reads the rest."""
