"""A domain of one's own as a folder: a file of settings, a grammar, tables of tokens, and pairs.

| file | what it does |
|---|---|
| `settings` | `domain.toml` → what the folder says of itself |
| `pairs` | TSV or JSON lines → pairs, and all that is wrong with them |
| `tables` | tables of tokens → kinds, and what people call the tokens |
| `order` | logical forms whose children come in any order → one of them |
| `answers` | the name of what answers → a function of an installed package |
| `domain` | all of it as a `Domain` |
| `check` | what is wrong with a folder, and what it holds |
| `new` | a small folder that works, to begin with |
| `coverage` | how many logical forms a grammar accepts |
| `trees` | logical forms with brackets → trees |
| `series` | tokens that say themselves what they are one of |
| `induce` | logical forms without a grammar → a grammar to begin with |
| `layout` | its rules as lines that can be read |
"""

from grammax.folder.check import Checked as Checked
from grammax.folder.check import check_folder as check_folder
from grammax.folder.domain import FolderDomain as FolderDomain
from grammax.folder.new import write_example as write_example
