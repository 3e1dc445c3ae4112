"""Where the public data sets are: `$GRAMMAX_DATA`. Tests that need them are skipped without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("GRAMMAX_DATA") or "none")
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the public data sets are not here: $GRAMMAX_DATA says where they are"
)
