"""Parts of pages, each in the room of the page that shows it: show(...) draws and returns a plain
value.
"""
