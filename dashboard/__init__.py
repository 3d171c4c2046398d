"""Pages for operators: choose, format, draw; what is computed comes from data and assignors."""
