"""Figures of What-if, one figure in each module: lag and moves over the steps, members, a
comparison of two answers, a comparison of scenarios.
"""
