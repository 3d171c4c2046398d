"""Reads tables with commas, semicolons or tabs between cells: headers, single lines, whole
columns.
"""
