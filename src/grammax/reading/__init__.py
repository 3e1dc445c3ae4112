"""A query's words, and the names among them. No PyTorch: training and runtime share it."""
