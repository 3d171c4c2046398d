"""The shares that a browser has made."""

from evenkeel.data.shares import Listed, shares


def own_shares(owner: str | None) -> list[Listed]:
    """Return what this browser has shared, the youngest first."""
    return shares().listed(owner)


def delete_share(share_id: str, secret: str) -> None:
    """Delete a share of this browser."""
    shares().delete(share_id, secret)
