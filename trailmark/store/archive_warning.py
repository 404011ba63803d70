"""What is said where an archive could be read only in part."""

from __future__ import annotations


class ArchiveWarning(UserWarning):
    """An archive was read or mended only in part; the message says which and why."""
