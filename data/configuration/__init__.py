"""The administrator's configuration: the file, clusters and their secrets, plug-ins, and the Java
in use.
"""

from evenkeel.data.configuration.reading import configuration
from evenkeel.data.configuration.settings import Configuration

__all__ = ["Configuration", "configuration"]
