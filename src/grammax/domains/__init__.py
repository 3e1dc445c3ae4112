"""Complete applications of the engine, one folder each."""
