"""`make bench`: every table of docs/performance.md, one after the other."""

from tests.benchmarks import beside_peers, end_to_end, ingest, kernels

beside_peers.main()
kernels.main()
end_to_end.main()
ingest.main()
