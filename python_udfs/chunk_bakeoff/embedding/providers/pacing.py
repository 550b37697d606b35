"""One pace for all threads that send requests to one provider."""

from __future__ import annotations

import threading
import time


class Pacer:
    """Spaces requests evenly, so that neither limit per minute is passed.

    Args:
        requests_per_minute: None for no limit.
        tokens_per_minute: None for no limit.
    """

    def __init__(
        self, requests_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        self._seconds_per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._seconds_per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._lock = threading.Lock()
        self._next = self._paused_until = 0.0

    def wait(self, tokens: int) -> None:
        """Sleep until a request of so many tokens may be sent."""
        with self._lock:
            start = max(self._next, time.monotonic())
            self._next = start + max(self._seconds_per_request, tokens * self._seconds_per_token)
        # A pause may begin while this thread sleeps.
        while (left := max(start, self._paused_until) - time.monotonic()) > 0:
            time.sleep(left)

    def pause(self, seconds: float) -> None:
        """Let no thread send anything for so long: the provider asked for it."""
        with self._lock:
            self._paused_until = max(self._paused_until, time.monotonic() + seconds)
            self._next = max(self._next, self._paused_until)
