"""What surrounds every page: navigation, headers of every answer, errors that no page expects."""
