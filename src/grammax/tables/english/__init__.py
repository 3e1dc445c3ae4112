"""Logical forms in English, and completions of queries."""
