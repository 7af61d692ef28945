"""Many runs: comparisons, hunts and the records that they keep, learning, exact rows, benchmarks."""
