"""The rounds until an application is balanced: which one is shown, who holds what in it, and roles over all of them."""
