"""Work with many runs: comparisons, hunts, the record book, learning, rows solved exactly, benchmarks."""
