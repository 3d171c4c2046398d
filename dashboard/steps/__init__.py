"""The parts of a scenario that several pages draw: the strip of steps, the forms and the list of
edits, tables and figures.
"""
