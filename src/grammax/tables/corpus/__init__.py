"""Generated pairs of a query and its logical form."""
