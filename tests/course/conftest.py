"""A real Chromium for tests of packages: the one that the app's tests have."""

from tests.serve.conftest import browser_page, chromium

__all__ = ["browser_page", "chromium"]
