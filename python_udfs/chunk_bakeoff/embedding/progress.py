"""Progress of long steps, on the terminal and in dbt's log."""

from __future__ import annotations

import time
from collections.abc import Callable

Say = Callable[[str], None]
SECONDS_BETWEEN_LINES = 5.0


def dbt_say(message: str) -> None:
    """Write a line to dbt's console output and log file."""
    from dbt.adapters.events.logging import AdapterLogger

    AdapterLogger("chunk_bakeoff").info(message)


class Progress:
    """Says how much is done, the rate and the time left, every few seconds."""

    def __init__(self, label: str, total: int, say: Say) -> None:
        self._label = label
        self._total = total
        self._say = say
        self._done = 0
        self._began = self._spoke = time.monotonic()

    def add(self, count: int) -> None:
        """Count `count` more texts as done."""
        self._done += count
        now = time.monotonic()
        if self._done < self._total and now - self._spoke < SECONDS_BETWEEN_LINES:
            return
        self._spoke = now
        rate = self._done / max(now - self._began, 1e-9)
        left = (self._total - self._done) / rate if rate else 0.0
        self._say(
            f"{self._label}: {self._done:,} of {self._total:,} texts, "
            f"{rate:,.1f} texts/s, {left:,.0f} s left"
        )
