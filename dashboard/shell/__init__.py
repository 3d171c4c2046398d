"""The list of pages, and the parts that all pages share: login, address, cache, open group."""
