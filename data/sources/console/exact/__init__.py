"""Line by line: the kind of every line of a printed listing."""
