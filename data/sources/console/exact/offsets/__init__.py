"""Lines of the offsets listing."""
