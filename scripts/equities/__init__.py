"""How data/equities.tsv.gz is made: lists -> companies -> tokens. Run by build_equities.py."""
