import logging

import pytest

from chunk_bakeoff.embedding import progress
from chunk_bakeoff.embedding.progress import Progress


@pytest.fixture
def clock(monkeypatch):
    """Seconds that the test sets."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_line_every_few_seconds_and_one_at_the_end(clock):
    lines = []
    counter = Progress("embedding with m", 1200, lines.append)
    for seconds, count in ((102.0, 100), (106.0, 200), (107.0, 100), (110.0, 800)):
        clock[0] = seconds
        counter.add(count)
    assert lines == [
        # 300 in 6 s, 900 left.
        "embedding with m: 300 of 1,200 texts, 50.0 texts/s, 18 s left",
        "embedding with m: 1,200 of 1,200 texts, 120.0 texts/s, 0 s left",
    ]


def test_a_run_too_short_to_measure(clock):
    lines = []
    Progress("x", 1, lines.append).add(1)
    (line,) = lines
    assert line.startswith("x: 1 of 1 texts, ")
    assert line.endswith("0 s left")


def test_lines_reach_dbt(monkeypatch):
    said = []
    monkeypatch.setattr(
        "dbt.adapters.events.logging.AdapterLogger.info", lambda self, message: said.append(message)
    )
    progress.dbt_say("50 of 100")
    assert said == ["50 of 100"]
    assert logging.getLogger("chunk_bakeoff").handlers == []
