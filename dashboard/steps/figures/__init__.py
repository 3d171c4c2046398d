"""Figures of What-if, one in each module: lag and moves over steps, members, two sides,
scenarios.
"""
