"""A logical form → a query on a data store → an answer."""
