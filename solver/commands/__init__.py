"""The commands, in modules by subject. They import heavy modules only when they run."""
