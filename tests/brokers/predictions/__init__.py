"""Predictions of the scenario engine beside what a real broker and real consumers then do."""
