"""The base model: one network for every table, trained on the corpora of many drawn schemas.

| module | contents |
|---|---|
| `columns` | columns to draw from: concepts, and headers with values of public tables |
| `schemas` | draws tables: a noun, some columns, their values |
| `family` | the pairs of many tables as one training set |
| `train` | the training |
| `calibrate` | when the model should abstain, learnt from tables that it has not seen |

`scripts/train_base_model.py` writes the model that `grammax.tables.own` opens tables with; only
training needs this package.
"""
