"""Fields and values by name."""
