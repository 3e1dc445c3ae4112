"""`grammax parse --file FILE -o FOLDER --ray ADDRESS`."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from grammax.cli.exit_codes import INTERRUPTED
from grammax.cli.terminal import late_progress, print_message
from grammax.tables.data_files import is_url, user_file

if TYPE_CHECKING:
    from grammax.ray import Progress

Given = tuple[str, Path | None, Path | None, str | None, str, str | None]


def parse_on_ray(
    file: str, output: str, given: Given, address: str, workers: int | None, overwrite: bool
) -> None:
    """Parse files by processes of Ray, and tell how far they are."""
    from grammax.ray import Settings, parse_files

    domain, model, catalogue, table, column, device = given
    stored = catalogue or user_file(domain, "changes")
    settings = Settings(
        domain=str(Path(domain).absolute()) if _is_path(domain) else domain,
        model=None if model is None else str(model.absolute()),
        catalogue=str(stored.absolute()) if catalogue or stored.is_file() else None,
        table=table,
        column=column,
        device=device,
    )
    began, last = perf_counter(), list["Progress"]()
    with late_progress(None) as shown:

        def tell(progress: Progress) -> None:
            last[:] = [progress]
            shown(f"{progress.blocks:,} of {progress.of:,} blocks", 0)

        try:
            parse_files(
                *(file, output, settings),
                address=address,
                workers=workers,
                overwrite=overwrite,
                tell=tell,
            )
        except KeyboardInterrupt:
            done = _counts(last[0], began) if last else "nothing was parsed"
            message = f"Interrupted: {done}. The same command continues from here."
            print_message(message, "yellow")
            raise typer.Exit(INTERRUPTED) from None
    print_message(_counts(last[0], began), "green")


def _is_path(domain: str) -> bool:
    return not is_url(domain) and Path(domain).exists()


def _counts(progress: Progress, began: float) -> str:
    seconds = perf_counter() - began
    text = (
        f"{progress.queries:,} queries in {seconds:.1f} s ({progress.queries / seconds:,.0f} per "
        f"second): {progress.abstained:,} abstained, {progress.errors:,} with an error; "
        f"{progress.blocks:,} of {progress.of:,} blocks are there"
    )
    return f"{text}, {progress.before:,} of them before" if progress.before else text
