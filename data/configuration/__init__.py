"""The administrator's configuration: the file, clusters and their secrets, plug-ins, and which Java
runs.
"""

from evenkeel.data.configuration.reading import configuration
from evenkeel.data.configuration.settings import Configuration

__all__ = ["Configuration", "configuration"]
