"""How fast records come in and are read, how far behind that is, and what members can read."""
