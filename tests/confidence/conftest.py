"""What the runtime keeps goes to a folder of the tests, not to the user's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grammax.cache import CACHE_VARIABLE


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A module's, for its fixtures load models too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield
