"""The site: the documents of the repository, and a reference from docstrings and from `--help`.

| module | contents |
|---|---|
| `documents` | the documents in one folder, with links that hold there |
| `commands` | the page of the command line |
| `docstrings` | for mkdocstrings: examples in docstrings become blocks of code |
"""
