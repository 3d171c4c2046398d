"""Parts of the server outside of the pages: HTTP routes, headers, login, and unexpected errors."""
