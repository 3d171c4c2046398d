"""From bytes to arrays: everything between a group as a source shows it and an assignor, and back."""

from evenkeel.data import pandas_later

pandas_later.begin()
