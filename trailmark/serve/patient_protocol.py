"""uvicorn's protocol with an end to its patience: a request's head comes within seconds, or the connection is closed.

uvicorn waits for ever for the rest of a head, and for a body that nobody reads: any number of such connections would stay. Bodies that
are read have their own clock (sent_body.py).
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 200
"""Beyond these, the connection that has asked for nothing longest gives way to a new one."""


class PatientProtocol(H11Protocol):
    """Closes connections on which no request is being answered and none arrives whole."""

    patience: ClassVar[float] = 15.0
    """Seconds from the first byte, or from the connection, to the end of a request's head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._since = self.loop.time()
        self._give_up: asyncio.TimerHandle | None = None
        self._wind()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wind()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._since = self.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether no request is being answered here."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _wind(self) -> None:
        """Let the clock run while something is awaited; bytes that trickle in do not set it back."""
        if not self.idle:
            self._stop()
        elif self._give_up is None:
            self._give_up = self.loop.call_later(self.patience, self._end)

    def _stop(self) -> None:
        if self._give_up is not None:
            self._give_up.cancel()
            self._give_up = None

    def _end(self) -> None:
        self._give_up = None
        if self.idle:
            self.transport.close()

    def _make_room(self) -> None:
        others: list[Any] = [other for other in self.connections if other is not self]
        waiting = [other for other in others if isinstance(other, PatientProtocol) and other.idle]
        if waiting:
            min(waiting, key=lambda other: other._since).transport.abort()
