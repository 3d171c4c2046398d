"""From process to thread: which consumer gets which task, and what it has to wait for."""
