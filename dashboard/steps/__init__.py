"""Steps of a scenario in the forms that several pages draw: strip, forms, list, tables and
figures.
"""
