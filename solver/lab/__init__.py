"""Work with many runs: comparisons, and the record book."""
