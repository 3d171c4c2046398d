"""Quota: how many tasks a member may have before it counts as full."""


class Quota:
    """An even share of the tasks left for the members left; it is drawn anew each time that a member reaches it."""

    def __init__(self, tasks: int, members: int):
        self._tasks, self._members = tasks, members
        self._share()

    def count(self, tasks_of_member: int):
        """Note that a member has so many tasks now."""
        if tasks_of_member == self.share:
            self._members -= 1
            self._tasks -= self.share
            self._share()

    def _share(self):
        self.share = -(-self._tasks // self._members) if self._members else 0
