"""A schema becomes a search box: its grammar, its English, its corpus, its answers."""
