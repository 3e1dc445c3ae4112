"""The exit codes of every command, on which scripts may rely, and their text in `grammax --help`.

A reader that closes the pipe (`grammax ... | head`) ends a command silently, with code 1.
"""

from __future__ import annotations

from typing import Final

DONE: Final = 0
ERROR: Final = 1  # explained on stderr: a file, a grammar, a query or a logical form is wrong
USAGE: Final = 2  # the command line itself is wrong, or a package that it needs is missing
ABSTAINED: Final = 3  # the parser is not sure; with --force the code is 0
INTERRUPTED: Final = 130  # by Ctrl-C

EXIT_CODES: Final = """\b
Exit codes:
  0    success
  1    an error, explained on stderr
  2    wrong usage, or a missing package
  3    the parser abstained (not with --force)
  130  interrupted
"""
