"""Group documents and streams documents, one JSON object or a line each."""
