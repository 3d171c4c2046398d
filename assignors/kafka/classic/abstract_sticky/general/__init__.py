"""Where members subscribe to different topics."""
