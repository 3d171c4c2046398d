"""The numbers that figures draw: fits, loads, tiles."""
