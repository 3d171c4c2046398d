"""The minimum-cost flow through a graph.

Reproduces `org.apache.kafka.streams.processor.internals.assignment.Graph`.
"""

from collections import deque

# MinCostFlow cancels cycles of negative cost, one after another, until the flow has the least cost.
# Reproduces `org.apache.kafka.streams.processor.internals.assignment.Graph`, whose order of nodes
# decides between answers of equal cost.


class Edge:
    """One direction of an edge. `residual`: remaining capacity.

    `back`: the edge in the opposite direction, with the negative of the cost.
    """

    __slots__ = ("back", "cost", "flow", "head", "is_forward", "residual")
    back: "Edge"

    def __init__(self, head: int, cost: int, residual: int, flow: int, *, is_forward: bool):
        self.head, self.cost, self.residual = head, cost, residual
        self.flow, self.is_forward = flow, is_forward

    @classmethod
    def pair(cls, tail: int, head: int, cost: int, capacity: int, flow: int) -> "Edge":
        """Return the forward edge. Its `back` is the edge in the opposite direction."""
        forward = cls(head, cost, capacity - flow, flow, is_forward=True)
        forward.back = cls(tail, -cost, flow, 0, is_forward=False)
        forward.back.back = forward
        return forward


class MinCostFlow:
    """A directed graph. Nodes are integers, and are visited in ascending order."""

    def __init__(self):
        self._edges: dict[int, dict[int, Edge]] = {}

    def add(self, tail: int, head: int, capacity: int, cost: int, flow: int):
        """Add an edge from `tail` to `head`."""
        forward = Edge.pair(tail, head, cost, capacity, flow)
        self._edges.setdefault(tail, {})[head] = forward
        self._edges.setdefault(head, {})[tail] = forward.back

    def flow(self, tail: int, head: int) -> int:
        """Return the flow from `tail` to `head`."""
        return self._edges[tail][head].flow

    def fill(self, source: int, sink: int):
        """Increase the flow along the first path of a breadth-first search, until there is none."""
        edges = self._ascending()
        while path := _path(edges, source, sink):
            _push(path, min(edge.residual for edge in path))

    def solve(self):
        """Cancel cycles of negative cost until no cycle of negative cost is left."""
        edges = self._ascending()
        while cycle := _negative_cycle(edges):
            _push(cycle, min(edge.residual for edge in cycle))

    def _ascending(self) -> dict[int, list[Edge]]:
        return {
            node: [self._edges[node][head] for head in sorted(self._edges[node])]
            for node in sorted(self._edges)
        }


def _push(edges: list[Edge], amount: int):
    for edge in edges:
        edge.residual -= amount
        edge.back.residual += amount
        if edge.is_forward:
            edge.flow += amount
        else:
            edge.back.flow -= amount


def _path(edges: dict[int, list[Edge]], source: int, sink: int) -> list[Edge]:
    """Return the edges of the first path with remaining capacity, [] if there is no path."""
    came_by: dict[int, Edge | None] = {source: None}
    waiting = deque([source])
    while waiting and sink not in came_by:
        for edge in edges[waiting.popleft()]:
            if edge.residual > 0 and edge.head not in came_by:
                came_by[edge.head] = edge
                waiting.append(edge.head)
    path = []
    last = came_by.get(sink)
    while last:
        path.append(last)
        last = came_by[last.back.head]
    return path


def _negative_cycle(edges: dict[int, list[Edge]]) -> list[Edge]:
    """Return the edges of the cycle that the Bellman-Ford algorithm finds, [] if there is no
    cycle.
    """
    # Kafka adds a start node with edges of cost 0 to all other nodes, so each node has distance 0
    # at first.
    distance, nearer = dict.fromkeys(edges, 0), set(edges)
    came_by: dict[int, Edge] = {}
    for _ in range(len(edges)):
        _relax(edges, distance, came_by, nearer)
        if not nearer:
            return []
    node = _relax(edges, distance, came_by, nearer, stops_at_first=True)
    seen = set()
    while node is not None and node not in seen:
        seen.add(node)
        node = came_by[node].back.head
    return [] if node is None else _around(node, came_by)


def _around(node: int, came_by: dict[int, Edge]) -> list[Edge]:
    cycle = [came_by[node]]
    while cycle[-1].back.head != node:
        cycle.append(came_by[cycle[-1].back.head])
    return cycle


def _relax(
    edges: dict[int, list[Edge]],
    distance: dict[int, int],
    came_by: dict[int, Edge],
    nearer: set[int],
    *,
    stops_at_first: bool = False,
) -> int | None:
    """Relax the edges in order. `stops_at_first`: stop at the first shorter distance.

    In this case, return the node with the shorter distance. `nearer`: nodes whose distance became
    shorter after their edges were last relaxed. Only edges of these nodes can be relaxed.
    """
    for node, leaving in edges.items():
        if node not in nearer:
            continue
        nearer.discard(node)
        so_far = distance[node]
        for edge in leaving:
            if edge.residual and so_far + edge.cost < distance[edge.head]:
                distance[edge.head] = so_far + edge.cost
                came_by[edge.head] = edge
                nearer.add(edge.head)
                if stops_at_first:
                    return edge.head
    return None
