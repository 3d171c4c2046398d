"""What the administrator wrote: the file, clusters and their secrets, plug-ins, and which Java
runs.
"""

from evenkeel.data.configuration.file import Configuration, configuration

__all__ = ["Configuration", "configuration"]
