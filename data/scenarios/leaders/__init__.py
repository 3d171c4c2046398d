"""Whose code assigns a group: its leader, the clients of its members, the assignor in use."""
