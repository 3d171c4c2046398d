"""Answers that are kept: facts and advice, the best assignment, steps of What-if."""
