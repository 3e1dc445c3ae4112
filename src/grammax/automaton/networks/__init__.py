"""Recursive transition networks, and the automata that approximate them."""
