"""The commands, a file each. They import what is heavy only when they run."""
