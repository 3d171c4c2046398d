"""Rows of different tasks that say the same thing: found by their keys, judged as if one task had read them."""
