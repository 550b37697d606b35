"""The picture of the leaderboard: `python -m chunk_bakeoff.picture DATABASE FILE.svg`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import duckdb

BUDGET = 1000
WIDTH, ROW, TOP, LEFT, RIGHT = 860, 26, 58, 190, 250
BAR = WIDTH - LEFT - RIGHT


class Bar(NamedTuple):
    """One row of the picture."""

    strategy: str
    recall: float
    low: float
    high: float
    tokens: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the leaderboard of a database."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) != 2:
        raise SystemExit("usage: python -m chunk_bakeoff.picture DATABASE FILE.svg")
    Path(given[1]).write_text(draw(read_bars(Path(given[0]))), "utf-8")


def read_bars(database: Path) -> list[Bar]:
    """Recall at the budget with its interval, best first."""
    query = """
        select b.strategy, m.value, m.ci_low, m.ci_high, b.context_tokens_at_5
        from fct_metrics as m
        inner join rpt_strategy_leaderboard as b
            on m.config_id = b.config_id and m.label_kind = b.label_kind
        where
            m.label_kind = 'span'
            and m.retriever = 'dense'
            and m.slice_kind = 'all'
            and m.metric = 'recall_at_budget'
            and m.token_budget = ?
        order by m.value desc, b.context_tokens_at_5, b.strategy
    """
    with duckdb.connect(str(database), read_only=True) as connection:
        return [Bar(*row) for row in connection.execute(query, [BUDGET]).fetchall()]


def draw(bars: Sequence[Bar]) -> str:
    """The bars as an SVG document."""
    height = TOP + ROW * len(bars) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<text x="16" y="26" font-size="16" font-weight="600">'
        f"Recall within {BUDGET:,} context tokens, with 95 % interval</text>",
        f'<text x="{WIDTH - 16}" y="46" text-anchor="end" fill="#57606a">'
        "context tokens of the first five</text>",
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = LEFT + share * BAR
        parts.append(
            f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{height - 30}" stroke="#d8dee4"/>'
            f'<text x="{x}" y="{height - 12}" text-anchor="middle" fill="#57606a">{share:g}</text>'
        )
    for position, bar in enumerate(bars):
        parts.append(_row(bar, TOP + ROW * position))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(bar: Bar, y: float) -> str:
    middle = y + ROW / 2
    low, high = LEFT + bar.low * BAR, LEFT + bar.high * BAR
    return (
        f'<text x="{LEFT - 10}" y="{middle + 4}" text-anchor="end">{escape(bar.strategy)}</text>'
        f'<rect x="{LEFT}" y="{y + 5}" width="{bar.recall * BAR:.1f}" height="{ROW - 10}" '
        'fill="#2f81f7" rx="2"/>'
        f'<line x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" y2="{middle}" '
        'stroke="#0b3d91" stroke-width="2"/>'
        f'<text x="{LEFT + BAR + 12}" y="{middle + 4}">{bar.recall:.3f}</text>'
        f'<text x="{WIDTH - 16}" y="{middle + 4}" text-anchor="end">{bar.tokens:,.0f}</text>'
    )


if __name__ == "__main__":
    main()
