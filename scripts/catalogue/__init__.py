"""How the catalogue's file is made: a module for each kind of name, and tables of our own."""
