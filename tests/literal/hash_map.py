"""A slow java.util.HashMap: chains that are walked, a table that doubles; what it iterates is to be
trusted at sight.
"""


class LiteralHashMap:
    """`HashMap()` with `put` of distinct keys; `tree_bin` tells that a chain would have become a
    tree.
    """

    def __init__(self):
        self.table = [[] for _ in range(16)]
        self.count = 0
        self.tree_bin = False

    def put(self, key, hash_code: int):
        chain = self.table[self._bucket(hash_code)]
        chain.append((key, hash_code))
        if len(chain) >= 9:
            if len(self.table) < 64:
                self._double()
            else:
                self.tree_bin = True
        self.count += 1
        if self.count > len(self.table) * 3 // 4:
            self._double()

    def __iter__(self):
        return (key for chain in self.table for key, _ in chain)

    def _bucket(self, hash_code: int) -> int:
        return (hash_code ^ hash_code >> 16) % len(self.table)

    def _double(self):
        entries = [entry for chain in self.table for entry in chain]
        self.table = [[] for _ in range(2 * len(self.table))]
        for key, hash_code in entries:
            self.table[self._bucket(hash_code)].append((key, hash_code))
