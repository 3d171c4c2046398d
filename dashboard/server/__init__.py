"""Server parts around every page: navigation, headers of every answer, and unexpected errors."""
