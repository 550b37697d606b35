"""How many contexts it takes to deliver a piece of evidence, were the ranking perfect."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_bakeoff.text import WHITE_SPACE, Span

COVER_SCHEMA = pa.schema(
    [
        pa.field("strategy", pa.string()),
        pa.field("question_id", pa.string()),
        pa.field("span_index", pa.int64()),
        pa.field("contexts_for_span", pa.int64()),
        pa.field("contexts_for_question", pa.int64()),
    ]
)


def contexts_needed(needed: Sequence[int], contexts: Iterable[Span]) -> int | None:
    """The smallest number of contexts whose union holds every needed position.

    The greedy cover of points by intervals, which is optimal: the first point that is not yet
    covered takes the context that holds it and reaches furthest.

    Args:
        needed: code points of one document, ascending.
        contexts: slices of that document, in any order.

    Returns:
        None where some position lies in no context.
    """
    left = sorted(contexts)
    count = position = 0
    furthest = reached = -1
    for point in needed:
        if point < reached:
            continue
        while position < len(left) and left[position].start <= point:
            furthest = max(furthest, left[position].end)
            position += 1
        if furthest <= point:
            return None
        reached = furthest
        count += 1
    return count


class Contexts:
    """The contexts of one document, to be asked for those that touch a stretch of it.

    Args:
        spans: in any order.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]
        self._longest = max((span.end - span.start for span in self._spans), default=0)

    def touching(self, first: int, last: int) -> list[Span]:
        """Those that hold a position from `first` to `last`, and perhaps others before them."""
        low = bisect_right(self._starts, first - self._longest)
        return self._spans[low : bisect_right(self._starts, last)]


NO_CONTEXTS = Contexts(())


def cover_table(contexts: Any, spans: Any) -> pa.Table:
    """Contexts needed for every strategy and span, and for all spans of its question.

    Args:
        contexts: relation with `strategy, doc_id, context_start, context_end`, repetitions allowed.
        spans: relation with `question_id, span_index, doc_id, quote, char_start`.
    """
    spans_by_strategy: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    for row in contexts.distinct().to_arrow_table().to_pylist():
        span = Span(row["context_start"], row["context_end"])
        spans_by_strategy[row["strategy"]][row["doc_id"]].append(span)
    by_strategy = {
        strategy: {doc_id: Contexts(found) for doc_id, found in documents.items()}
        for strategy, documents in spans_by_strategy.items()
    }
    questions: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in spans.order("question_id, span_index").to_arrow_table().to_pylist():
        questions[row["question_id"]].append({**row, "needed": _needed(row)})
    rows = [
        row
        for strategy in sorted(by_strategy)
        for pieces in questions.values()
        for row in _question(strategy, pieces, by_strategy[strategy])
    ]
    return pa.Table.from_pylist(rows, schema=COVER_SCHEMA)


def _needed(row: Mapping[str, Any]) -> list[int]:
    start = row["char_start"]
    return [start + i for i, character in enumerate(row["quote"]) if character not in WHITE_SPACE]


def _question(
    strategy: str, pieces: Sequence[Mapping[str, Any]], contexts: Mapping[str, Contexts]
) -> Iterable[dict[str, Any]]:
    by_document: dict[str, set[int]] = defaultdict(set)
    for piece in pieces:
        by_document[piece["doc_id"]].update(piece["needed"])
    counts = [
        _count(sorted(needed), contexts.get(doc_id, NO_CONTEXTS))
        for doc_id, needed in by_document.items()
    ]
    whole = None if None in counts else sum(counts)
    for piece in pieces:
        yield {
            "strategy": strategy,
            "question_id": piece["question_id"],
            "span_index": piece["span_index"],
            "contexts_for_span": _count(
                piece["needed"], contexts.get(piece["doc_id"], NO_CONTEXTS)
            ),
            "contexts_for_question": whole,
        }


def _count(needed: Sequence[int], contexts: Contexts) -> int | None:
    if not needed:
        return None
    return contexts_needed(needed, contexts.touching(needed[0], needed[-1]))
