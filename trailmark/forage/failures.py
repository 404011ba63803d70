"""Why a page can't be had, in one plain sentence that names the page."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import exceptions as scrapy_errors
from twisted.web._newclient import ParseError
from twisted.web.client import ResponseFailed

from trailmark.errors import FetchError
from trailmark.forage.robots_rules import RobotsTrouble, UnreadableRules
from trailmark.forage.unpacking import Unpackable
from trailmark.settings import ForageSettings

LONGEST_SHOWN = 300

_UNPACKERS = {"zlib", "gzip", "brotli", "_brotli", "backports", "compression", "zstandard"}


class Refused(scrapy_errors.IgnoreRequest):
    """A URL that is not asked for; the message says why."""


class AskedToWait(scrapy_errors.IgnoreRequest):
    """The host wants to be left alone for longer than a run waits."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class RobotsForbid(scrapy_errors.IgnoreRequest):
    """The robots.txt of the host forbids a page, or can't be read: then there is a trouble that says why."""

    def __init__(self, trouble: RobotsTrouble | None = None) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class RunStopped(scrapy_errors.IgnoreRequest):
    """The run is being stopped; nothing new is asked."""


class HeadTooLarge(Exception):
    """The head of an answer has no end."""


def is_hopeless(exception: BaseException) -> bool:
    """Whether the same request would surely fail again."""
    return any(isinstance(cause, HeadTooLarge | ParseError) for cause in _causes(exception))


def fetch_error(url: str, *, reason: str, asked: str | None = None) -> FetchError:
    """One sentence: the page that was wanted, the page it led to where that is another one, and the reason."""
    led = f"it leads to {shown(asked)}, and " if asked and asked != url else ""
    return FetchError(f"{shown(url)} was not fetched: {led}{reason}.")


def shown(url: str) -> str:
    """A URL as it may stand in a sentence: on one line, of bearable length, without commands to the terminal."""
    plain = "".join(character if character.isprintable() else "?" for character in url[:LONGEST_SHOWN])
    return plain + "…" if len(url) > LONGEST_SHOWN else plain or "An empty URL"


def reason_for(exception: BaseException, settings: ForageSettings, *, host: str, refused: str | None = None) -> str:
    """The reason behind an exception of the engine, to be set after 'was not fetched:'.

    `refused` are the addresses for which the address rule refused the host, where it did.
    """
    if isinstance(exception, scrapy_errors.CannotResolveHostError) and refused:
        return (
            f"host {host} has no public address ({refused}); if it is yours, name it in 'allow_hosts' under [forage] in "
            "trailmark.toml"
        )
    if isinstance(exception, scrapy_errors.CannotResolveHostError):
        return f"no address is known for host {host}"
    if isinstance(exception, scrapy_errors.DownloadConnectionRefusedError):
        return "the server refused the connection"
    if isinstance(exception, scrapy_errors.DownloadTimeoutError):
        return f"it took longer than {settings.timeout:g} seconds"
    if isinstance(exception, scrapy_errors.DownloadCancelledError):
        return f"it is larger than {settings.max_bytes} bytes"
    if isinstance(exception, scrapy_errors.ResponseDataLossError):
        return "the connection ended before all of it had come"
    if isinstance(exception, scrapy_errors.IgnoreRequest):
        return _reason_for_ignoring(exception, settings)
    return _reason_for_failure(exception)


def _reason_for_ignoring(exception: scrapy_errors.IgnoreRequest, settings: ForageSettings) -> str:
    text = str(exception)
    if isinstance(exception, AskedToWait):
        return f"its server asks to be left alone for another {exception.seconds:.0f} seconds"
    if isinstance(exception, RunStopped):
        return "the run was stopped"
    if isinstance(exception, RobotsForbid):
        return exception.trouble.sentence if exception.trouble is not None else "its robots.txt forbids it"
    if "redirections" in text:
        return f"it redirects more than {settings.max_redirects} times"
    if "decompression" in text:
        return f"it is larger than {settings.max_bytes} bytes when unpacked"
    return text or "it was ignored"


def _reason_for_failure(exception: BaseException) -> str:
    if isinstance(exception, Unpackable | UnreadableRules):
        return str(exception)
    causes = list(_causes(exception))
    if any(isinstance(cause, HeadTooLarge) for cause in causes):
        return "the head of the answer has no end"
    if any(isinstance(cause, ParseError | ValueError) for cause in causes):
        return "its server did not answer in proper HTTP"
    if any(type(cause).__module__.startswith("OpenSSL") for cause in causes):
        return "no secure connection could be made"
    if type(exception).__module__.partition(".")[0] in _UNPACKERS or isinstance(exception, EOFError):
        return "its body can't be unpacked"
    if isinstance(exception, scrapy_errors.DownloadFailedError):
        return "the connection was lost"
    first = str(exception).partition("\n")[0][:200].rstrip(". ")
    return f"{type(exception).__name__} ({first})" if first else type(exception).__name__


def _causes(exception: BaseException | None) -> Iterator[BaseException]:
    """An exception with all that led to it; Twisted keeps its reasons in a list."""
    while exception is not None:
        yield exception
        if isinstance(exception, ResponseFailed):
            for failure in exception.reasons:
                yield from _causes(failure.value)
        exception = exception.__cause__
