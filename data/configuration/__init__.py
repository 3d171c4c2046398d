"""The administrator's configuration: the file, clusters and their secrets, plug-ins, and Java."""

from evenkeel.data.configuration.reading import configuration
from evenkeel.data.configuration.settings import Configuration

__all__ = ["Configuration", "configuration"]
