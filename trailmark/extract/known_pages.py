"""Pages that were put in a cluster, in little memory: it travels to every worker, and a dict of a million addresses is large."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


class KnownPages:
    """Address -> the cluster that it was put in; twelve bytes an address, which are told apart by 64 bits of a digest."""

    def __init__(self, cluster_of: Mapping[str, str | None]) -> None:
        known = {url: name for url, name in cluster_of.items() if name is not None}
        self._names = sorted(set(known.values()))
        place = {name: number for number, name in enumerate(self._names)}
        digests = np.fromiter(map(_digest, known), dtype=np.uint64, count=len(known))
        clusters = np.fromiter((place[name] for name in known.values()), dtype=np.int32, count=len(known))
        order = np.argsort(digests, kind="stable")
        self._digests: NDArray[np.uint64] = digests[order]
        self._clusters: NDArray[np.int32] = clusters[order]

    def __len__(self) -> int:
        return len(self._digests)

    def cluster(self, url: str) -> str | None:
        """The cluster of a page; None where it was put in none."""
        digest = np.uint64(_digest(url))
        at = int(np.searchsorted(self._digests, digest))
        if at < len(self._digests) and self._digests[at] == digest:
            return self._names[int(self._clusters[at])]
        return None

    def digest(self) -> str:
        """Another one where any page is in another cluster."""
        whole = hashlib.sha256(self._digests.tobytes() + self._clusters.tobytes() + "\0".join(self._names).encode())
        return whole.hexdigest()[:16]


def _digest(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
