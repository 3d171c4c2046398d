"""Members and silent clusters, as the server reports them."""

SHOWN = ("loading", "members")
