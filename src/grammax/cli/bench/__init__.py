"""`grammax bench`: the paper's Table 1, measured here. `command` measures, `report` prints it."""
