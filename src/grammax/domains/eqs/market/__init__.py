"""The generated market: real equities with generated fundamentals."""
