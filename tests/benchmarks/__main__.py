"""`make bench`: every table of docs/performance.md, one after the other."""

from tests.benchmarks import ingest, kernels

kernels.main()
ingest.main()
