"""Line by line: what every line of a printed listing is."""
