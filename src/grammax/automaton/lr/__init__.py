"""LR engines: a grammar's LR(1) tables, their conflicts, and stacks that are shared."""
