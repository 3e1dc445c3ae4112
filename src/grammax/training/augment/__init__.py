"""More training pairs from those that are there."""
