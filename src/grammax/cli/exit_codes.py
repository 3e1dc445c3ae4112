"""The exit codes of every command, for scripts to rely on, and how `grammax --help` tells them.

A reader that closes the pipe (`grammax ... | head`) ends a command in silence, with 1.
"""

from __future__ import annotations

from typing import Final

DONE: Final = 0
ERROR: Final = 1  # said in words on stderr: a file, a grammar, a query, a form is not right
USAGE: Final = 2  # the command itself is not right, or a package that it needs is missing
ABSTAINED: Final = 3  # the parser would rather not say; --anyway makes 0 of it
INTERRUPTED: Final = 130  # by Ctrl-C

EXIT_CODES: Final = """\b
Exit codes:
  0    done
  1    an error, said in words on stderr
  2    wrong usage, or a package is missing
  3    the parser abstained; with --anyway it does not
  130  interrupted
"""
EXAMPLES: Final = """\b
Examples:
  grammax ask "steel western europe not german"
  grammax shell
  grammax parse --file queries.txt -o parsed.jsonl
"""
