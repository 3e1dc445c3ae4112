"""`grammax serve`: parsing, answering and correcting over HTTP, with a page for people."""
