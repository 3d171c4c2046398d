"""Group documents, one JSON object or a line each."""
