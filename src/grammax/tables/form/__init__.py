"""The logical form: its tree, its text, and when it makes sense."""
