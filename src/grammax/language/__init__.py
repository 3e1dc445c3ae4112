"""What a domain is: its language, its capabilities, its answers, and changes of its catalogue."""
