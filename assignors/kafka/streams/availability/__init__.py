"""High availability: even load, standbys, and tasks that stay where they are caught up while others warm up."""
