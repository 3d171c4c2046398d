"""Parts of the page Readiness."""
