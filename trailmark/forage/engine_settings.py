"""Scrapy's settings, made from Trailmark's: what Scrapy leaves open or on by default is closed here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import trailmark
from trailmark.errors import InputError
from trailmark.settings import ForageSettings

PRODUCT = "Trailmark"
_HANDLER = "trailmark.forage.handler.CappedHandler"


def user_agent(settings: ForageSettings) -> str:
    """Who is asking and whom to write to; raises InputError where the person has not said."""
    contact = settings.contact.strip()
    if not contact:
        raise InputError(
            "Nothing is fetched from live sites before they can see whom to write to: set 'contact' under [forage] in "
            "trailmark.toml to your e-mail address or to a page about your crawl."
        )
    if not contact.isascii() or not contact.isprintable() or set(contact) & set("()"):
        raise InputError(
            f"'contact' under [forage] in trailmark.toml is {contact!r}; it is sent in a header, so it must be plain "
            "ASCII on one line and without brackets."
        )
    return f"{PRODUCT}/{trailmark.__version__} (+{contact})"


def engine_settings(settings: ForageSettings, *, ports: Iterable[int] = ()) -> dict[str, Any]:
    """All that differs from Scrapy's own defaults; `ports` are those that seeds name, asked beside those of the settings."""
    return {
        **_identity(settings),
        **_caps(settings),
        **_pace(settings),
        **_closed_doors(settings),
        "TRAILMARK_FORAGE": settings,
        "TRAILMARK_PORTS": sorted({*settings.ports, *ports}),
    }


def crawl_settings(settings: ForageSettings, *, ports: Iterable[int] = ()) -> dict[str, Any]:
    """For a crawl: as for a list of pages, with our own scheduler and more requests under way."""
    return {
        **engine_settings(settings, ports=ports),
        "SCHEDULER": "trailmark.forage.scheduler.FrontierScheduler",
        "CONCURRENT_REQUESTS": settings.concurrency,
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        # Nothing is yielded by callbacks, so what would watch it is left out.
        "SPIDER_MIDDLEWARES_BASE": {},
        "DEPTH_STATS_VERBOSE": False,
    }


def _identity(settings: ForageSettings) -> dict[str, Any]:
    return {
        "BOT_NAME": PRODUCT,
        "USER_AGENT": user_agent(settings),
        "ROBOTSTXT_OBEY": settings.obey_robots,
        # Groups in robots.txt name a product, not a whole header.
        "ROBOTSTXT_USER_AGENT": PRODUCT,
        # A cookie goes back to the very host that set it (see cookies.py). Scrapy's own jar also asks a list of public
        # suffixes from the net, past every rule of this room.
        "COOKIES_ENABLED": False,
        "REFERER_ENABLED": False,
    }


def _caps(settings: ForageSettings) -> dict[str, Any]:
    return {
        "DOWNLOAD_TIMEOUT": settings.timeout,
        "DOWNLOAD_MAXSIZE": settings.max_bytes,  # also of the unpacked body
        "DOWNLOAD_WARNSIZE": 0,
        "REDIRECT_MAX_TIMES": settings.max_redirects,
        # An archive answers with the page that holds the refresh, so the live net does too.
        "METAREFRESH_ENABLED": False,
        # Scrapy drops long URLs without a word; gate.py refuses them with one.
        "URLLENGTH_LIMIT": 0,
        "TRAILMARK_MAX_URL_LENGTH": settings.max_url_length,
        # Every answer of a server is an answer.
        "HTTPERROR_ALLOW_ALL": True,
    }


def _pace(settings: ForageSettings) -> dict[str, Any]:
    return {
        "CONCURRENT_REQUESTS": 32,
        # Scrapy starts so many tasks for the items of every page, though ours yield none.
        "CONCURRENT_ITEMS": 1,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": settings.delay,
        "DOWNLOAD_DELAY_JITTER": 0,  # the delay is a promise, not an average
        "AUTOTHROTTLE_ENABLED": False,  # it would undo Crawl-delay; see pace.py
        "RETRY_TIMES": settings.retries,
        "TRAILMARK_MAX_WAIT": settings.max_wait,
    }


def _closed_doors(settings: ForageSettings) -> dict[str, Any]:
    return {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "TWISTED_DNS_RESOLVER": "trailmark.forage.addresses.PublicResolver",
        "TRAILMARK_ALLOW_HOSTS": list(settings.allow_hosts),
        "DOWNLOAD_HANDLERS_BASE": {},
        # As Scrapy has it: old sites have old certificates, and nothing secret is sent or trusted.
        "DOWNLOAD_VERIFY_CERTIFICATES": False,
        "DOWNLOAD_HANDLERS": {"http": _HANDLER, "https": _HANDLER},
        # The proxy of http_proxy and its kin would make the connection, and so escape the address rule.
        "HTTPPROXY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "EXTENSIONS_BASE": {},
        "EXTENSIONS": {"trailmark.forage.pace.Pace": 0},
        "DOWNLOADER_MIDDLEWARES": {
            "trailmark.forage.gate.Gate": 10,
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "trailmark.forage.robots.Robots": 100,
            "trailmark.forage.robots.RobotsUnpacking": 595,  # between Scrapy's unpacking (590) and its redirects (600)
            "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
            "trailmark.forage.patience.Patience": 550,
            "trailmark.forage.cookies.HostCookies": 700,
        },
        # No handler of Scrapy's own: its loggers write where the process's logs go (see cli/log_file.py).
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "STATS_DUMP": False,
    }
