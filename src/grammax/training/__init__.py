"""Pairs and a grammar → a trained model."""
