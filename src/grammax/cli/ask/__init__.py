"""`grammax ask`: the answer to a query. `command` asks, `report` prints or serialises it."""
