"""From an address, a text or a file to the open group."""
