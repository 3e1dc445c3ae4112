"""Equity search: a query in English → a logical form → an answer."""
