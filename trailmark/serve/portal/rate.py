"""How often one network address may ask: a bucket each, filled as time goes, and a bound on the number of buckets."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

MOST = 20_000
"""Addresses that are remembered; of more, those are forgotten that asked longest ago."""


class Rate:
    """Buckets by address."""

    def __init__(self, a_minute: int, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second, self._burst, self._clock = a_minute / 60, float(burst), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one from the bucket of an address: 0 where there was one, else the seconds until there is."""
        if not self._a_second:
            return 0.0
        now, whose = self._clock(), neighbourhood_of(address)
        left, at = self._buckets.pop(whose, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._a_second)
        wait = 0.0 if left >= 1 else (1 - left) / self._a_second
        self._buckets[whose] = (left if wait else left - 1, now)
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return wait


def neighbourhood_of(address: str) -> str:
    """An address -> whom it counts for: of IPv6 its first half, since one reader has all of the second."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)).network_address)
