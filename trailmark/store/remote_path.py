"""A file or a folder of an object store, with the manner of a `Path`: what reads a local file reads it too.

`s3://bucket/pages/x.warc.gz` is read through fsspec, piece by piece. Credentials and the address of the store are taken from the environment
as s3fs takes them (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_PROFILE`, `AWS_ENDPOINT_URL`), never from an address. There is no
scheme for the web: pages are fetched by `forage` alone, whose rules say which addresses may be asked.
"""

from __future__ import annotations

import errno
import hashlib
import importlib
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path, PosixPath
from typing import IO, Any, Self

from trailmark.errors import ArchiveError, InputError
from trailmark.quoting import reason_text

SCHEMES = ("s3",)
"""Stores that were tried; fsspec knows more."""
HOW_TO = "pip install 'trailmark[scale]'"
AHEAD, AT_ONCE = 4 << 20, 1 << 16
"""Bytes that are asked for in one go: by who reads from the first to the last, and by who looks something up."""
PATIENCE = 10
"""Seconds until a store must answer a connection."""
_NOT_THERE = "there is no such object or bucket"
_REFUSED = "the store refuses it: check the credentials and what they allow"


class RemotePath(PosixPath):
    """`RemotePath("s3://bucket/key")`; what a store can't do raises as a disk would that can't."""

    __slots__ = ()

    @property
    def scheme(self) -> str:
        return self.parts[0].removesuffix(":")

    @property
    def key(self) -> str:
        """Bucket and name, as the store knows it."""
        return "/".join(self.parts[1:])

    @property
    def filesystem(self) -> Any:
        return _filesystem(self.scheme, os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.key}"

    def __repr__(self) -> str:
        return f"RemotePath('{self}')"

    def open(self, mode: str = "r", buffering: int = -1, *_: Any, **__: Any) -> Any:
        """To read bytes; with `buffering` 0 little is read ahead."""
        if mode != "rb":
            raise OSError(errno.EROFS, "an object of a store is written as a whole", str(self))
        with _plain(self):
            file = self.filesystem.open(self.key, "rb", block_size=AHEAD if buffering else AT_ONCE)
        return _RemoteFile(file, self)

    def write_bytes(self, data: Any) -> int:
        """The object takes its place when it is whole."""
        with _plain(self):
            self.filesystem.pipe_file(self.key, bytes(data))
        return len(data)

    def put(self, file: Path) -> None:
        """A local file becomes the object, whole, in pieces where it is large."""
        with _plain(self):
            self.filesystem.put_file(str(file), self.key)

    def info(self) -> Any:
        """What the store says of it: `size`, `type`, and what tells one version from another."""
        with _plain(self):
            return self.filesystem.info(self.key)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Its size and kind; the rest is nothing."""
        del follow_symlinks
        told = self.info()
        kind = stat.S_IFDIR if told["type"] == "directory" else stat.S_IFREG
        return os.stat_result((kind | 0o444, 0, 0, 1, 0, 0, int(told.get("size") or 0), 0, 0, 0))

    def version(self) -> tuple[int, int]:
        """Size, and a number that is another where the object is."""
        told = self.info()
        mark = str(told.get("ETag") or told.get("LastModified") or told.get("mtime") or "")
        return int(told.get("size") or 0), int(hashlib.sha256(mark.encode()).hexdigest()[:15], 16)

    def exists(self) -> bool:  # type: ignore[override,unused-ignore]
        try:
            self.info()
        except FileNotFoundError:
            return False
        return True

    def is_file(self) -> bool:  # type: ignore[override,unused-ignore]
        return self._is("file")

    def is_dir(self) -> bool:  # type: ignore[override,unused-ignore]
        return self._is("directory")

    def _is(self, kind: str) -> bool:
        try:
            return bool(self.info()["type"] == kind)
        except FileNotFoundError:
            return False

    def files(self) -> list[Self]:
        """All objects below it, by name; none where nothing is there."""
        with _plain(self):
            keys = sorted(self.filesystem.find(self.key))
        return [self._named(key) for key in keys]

    def matches(self) -> list[Self]:
        """The objects that a name with `*`, `?` or `[...]` stands for."""
        with _plain(self):
            keys = sorted(self.filesystem.glob(self.key))
        return [self._named(key) for key in keys]

    def _named(self, key: str) -> Self:
        named = type(self)(f"{self.scheme}://{key}")
        if named.key != key:  # `a//b` and `a/b` are two objects of a store, and one path
            raise OSError(
                errno.EINVAL, f"there is an object called {key!r:.200}, and no file can be called so: rename it"
            )
        return named

    def absolute(self) -> Self:
        return self

    def resolve(self, strict: bool = False) -> Self:
        del strict
        return self

    def unlink(self, missing_ok: bool = False) -> None:
        try:
            with _plain(self):
                self.filesystem.rm_file(self.key)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        """Nothing: a store has no folders."""
        del mode, parents, exist_ok


class _RemoteFile(io.RawIOBase):
    """An opened object. A store that stops answering is no damaged archive: it raises what nobody takes for one."""

    def __init__(self, file: IO[bytes], path: RemotePath) -> None:
        self._file, self._path = file, path

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def read(self, size: int | None = -1) -> bytes:
        try:
            with _plain(self._path):
                return self._file.read(-1 if size is None else size)
        except OSError as error:
            raise ArchiveError(f"{self._path} can't be read any further ({error.strerror}): try again.") from error

    def readinto(self, target: Any) -> int:
        found = self.read(len(target))
        target[: len(found)] = found
        return len(found)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


@contextmanager
def _plain(path: RemotePath) -> Iterator[None]:
    """Whatever a store raises, as a disk would: one kind of error, with a reason in everyday words."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, _NOT_THERE, str(path)) from error
    except PermissionError as error:
        raise PermissionError(errno.EACCES, _REFUSED, str(path)) from error
    except (InputError, MemoryError):
        raise
    except Exception as error:
        if "credential" in type(error).__name__.lower():
            raise PermissionError(errno.EACCES, _REFUSED, str(path)) from error
        reason = reason_text(error, 200)
        raise OSError(errno.EIO, f"the store does not answer as it should: {reason.rstrip('.')}", str(path)) from error


@lru_cache(maxsize=8)
def _filesystem(scheme: str, endpoint: str | None) -> Any:
    """Listings are not remembered: another process may have written since, and a store that is gone would seem empty."""
    try:
        fsspec, _ = importlib.import_module("fsspec"), importlib.import_module("s3fs")
    except ImportError as error:
        raise InputError(
            f"Addresses that begin with {scheme}:// need fsspec and s3fs, which are not installed; install them with: {HOW_TO}"
        ) from error
    return fsspec.filesystem(
        scheme,
        endpoint_url=endpoint,
        use_listings_cache=False,
        skip_instance_cache=True,
        config_kwargs={"connect_timeout": PATIENCE, "retries": {"max_attempts": 2}},
    )
