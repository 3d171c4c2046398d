"""One form for each edit: which fields it has, how they are drawn, and what they make."""
