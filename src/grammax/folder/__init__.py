"""A language of one's own as a folder: settings, a grammar, tables of tokens, and pairs.

| module | what it does |
|---|---|
| `settings` | `domain.toml` → the folder's settings |
| `data` | files of pairs, tables of tokens |
| `answers` | what a function of an installed package returns → an `Answer` |
| `english` | labels, chips, completions and search, from the names of tokens |
| `domain` | all of it as a `Domain` |
| `coverage` | how many logical forms a grammar accepts, and where it refuses others |
| `check` | what is wrong with a folder, and its figures |
| `new` | a small folder that works, or settings for the files of one's own |
| `induce/` | pairs without a grammar → a grammar to begin with |
"""

from grammax.folder.check import Checked as Checked
from grammax.folder.check import check_folder as check_folder
from grammax.folder.domain import FolderDomain as FolderDomain
from grammax.folder.new import write_example as write_example
