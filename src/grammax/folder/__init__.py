"""A domain of one's own as a folder: settings, a grammar, tables of tokens, and pairs.

| module | contents |
|---|---|
| `settings` | reads `domain.toml` |
| `data` | reads files of pairs |
| `answers` | answers from a function of an installed package |
| `english` | labels, chips, completions and search, from the names of tokens |
| `living/` | tables of tokens; names that come and go without training |
| `domain` | `FolderDomain`: the folder as a `Domain` |
| `open_kinds`, `filled/` | kinds whose tokens are taken from the query |
| `fillable` | which kinds of a grammar queries could fill |
| `open` | `OpenFolder`: a folder with such kinds; `read_folder` opens either |
| `forms/` | forms compared, and their parts, which training can move to other forms |
| `coverage` | the share of logical forms that a grammar accepts, and where it refuses others |
| `check` | the problems and the figures of a folder |
| `repeats`, `unmentioned` | pairs that contradict each other; what queries should mention |
| `new` | writes an example folder, or settings for existing files |
| `without_settings` | what a folder without `domain.toml` has, and what to do next |
| `sql/` | pairs that are SQL: their forms, the grammar of a schema, answers of a database |
| `induce/` | induces a first grammar from pairs |
"""

from grammax.folder.check import Checked as Checked
from grammax.folder.check import check_folder as check_folder
from grammax.folder.domain import FolderDomain as FolderDomain
from grammax.folder.new import write_example as write_example
from grammax.folder.open import OpenFolder as OpenFolder
from grammax.folder.open import read_folder as read_folder
