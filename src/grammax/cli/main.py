"""The entry point of `grammax`: says what to install where the command line's packages are not."""

from __future__ import annotations

import io
import sys

_OPTIONAL = ("rich", "typer")


def main() -> None:
    """Run the command line."""
    try:
        from grammax.cli.app import app
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in _OPTIONAL:
            raise
        sys.stderr.write(
            f"The grammax command needs the package {package}, which is not installed: "
            f'pip install "grammax[cli]"\n'
        )
        raise SystemExit(2) from None
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A token that the terminal's encoding lacks is shown by its number, and stops nothing.
        sys.stdout.reconfigure(errors="backslashreplace")
    app(prog_name="grammax")


if __name__ == "__main__":
    main()
