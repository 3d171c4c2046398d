"""The administrator's configuration: the file, clusters and their secrets, plug-ins, and which Java
runs.
"""

from evenkeel.data.configuration.file import Configuration
from evenkeel.data.configuration.reading import configuration

__all__ = ["Configuration", "configuration"]
