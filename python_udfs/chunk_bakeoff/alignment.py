"""Where the chunks of a library stand in the text: proved, or refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import WHITE_SPACE, Span, is_blank

# Repeated text may allow more places than are worth following.
_MOST_PLACES = 50
_FIRST_MARK = 0x10000
_MARKS = 0x100000


def check_slices(text: str, spans: Sequence[Span], pieces: Sequence[str], library: str) -> None:
    """Refuse offsets of a library that are not exact or leave text out.

    Raises:
        UserError: a slice is not the chunk, or text stands in no chunk; the place is named.
    """
    covered = 0
    for number, (span, piece) in enumerate(zip(spans, pieces, strict=True), 1):
        if text[span.start : span.end] != piece:
            raise UserError(
                f"{library} gives [{span.start}, {span.end}) for chunk {number}, which is not its "
                f"text {piece[:40]!r}; its offsets cannot be used"
            )
        _check_gap(text, covered, span.start, library)
        covered = max(covered, span.end)
    _check_gap(text, covered, len(text), library)


def _check_gap(text: str, start: int, end: int, library: str) -> None:
    if end > start and not is_blank(text[start:end]):
        raise UserError(
            f"{library} leaves out the text [{start}, {end}) {text[start:end].strip()[:40]!r}"
        )


def align(text: str, pieces: Sequence[str], library: str) -> list[Span]:
    """The only way to place the pieces so that they cover the text in order.

    Starts and ends grow, and between two pieces that do not overlap there is white space alone.
    Nothing is guessed: the first occurrence is not taken where another one fits as well.

    Args:
        text: the document.
        pieces: texts of the chunks, in order.
        library: named in errors.

    Raises:
        UserError: a piece is not in the text where it must be, or fits in several places.
    """
    if not pieces:
        _check_gap(text, 0, len(text), library)
        return []
    # places[k]: every start of piece k that the pieces before it allow.
    places: list[list[int]] = []
    for number, piece in enumerate(pieces):
        if number == 0:
            found = _places(text, piece, 0, _skip_blank(text, 0))
        else:
            length, starts = len(pieces[number - 1]), places[-1]
            # A later start reaches further, so that one look over the whole range is enough.
            reach = _skip_blank(text, starts[-1] + length)
            found = [
                place
                for place in _places(text, piece, starts[0] + 1, reach)
                if any(_may_follow(text, start, length, place, len(piece)) for start in starts)
            ]
        if not found:
            raise UserError(
                f"{library} gives a chunk {number + 1} that is not in the text where it must be: "
                f"{piece[:40]!r}; it has rewritten the text or left some out"
            )
        if len(found) > _MOST_PLACES:
            raise _ambiguous(library, number, found)
        places.append(found)
    last = [p for p in places[-1] if is_blank(text[p + len(pieces[-1]) :])]
    if not last:
        _check_gap(text, places[-1][-1] + len(pieces[-1]), len(text), library)
    places[-1] = last
    _drop_dead_ends(text, pieces, places)
    for number, starts in enumerate(places):
        if len(starts) != 1:
            raise _ambiguous(library, number, starts)
    return [Span(p[0], p[0] + len(piece)) for p, piece in zip(places, pieces, strict=True)]


def _drop_dead_ends(text: str, pieces: Sequence[str], places: list[list[int]]) -> None:
    """Keep only the places from which the following pieces can be reached."""
    for number in range(len(places) - 2, -1, -1):
        piece, following = pieces[number], pieces[number + 1]
        places[number] = [
            start
            for start in places[number]
            if any(
                _may_follow(text, start, len(piece), after, len(following))
                for after in places[number + 1]
            )
        ]


def _may_follow(text: str, start: int, length: int, after: int, after_length: int) -> bool:
    """Whether a piece may begin at `after` when the one before it begins at `start`."""
    end = start + length
    return start < after <= _skip_blank(text, end) and after + after_length > end


def _places(text: str, piece: str, first: int, last: int) -> list[int]:
    """Starts of `piece` from `first` to `last`, both included."""
    found = []
    place = text.find(piece, first, last + len(piece))
    while place >= 0 and len(found) <= _MOST_PLACES:
        found.append(place)
        place = text.find(piece, place + 1, last + len(piece))
    return found


def _skip_blank(text: str, position: int) -> int:
    while position < len(text) and (text[position] in WHITE_SPACE or text[position].isspace()):
        position += 1
    return position


def _ambiguous(library: str, number: int, places: Sequence[int]) -> UserError:
    return UserError(
        f"{library} gives no offsets, and its chunk {number + 1} fits at code points "
        f"{list(places[:3])} alike; the document repeats itself"
    )


def split_marked(text: str, split: Callable[[str], list[str]], library: str) -> list[Span]:
    """Exact places of the pieces of a splitter that looks at white space and lengths alone.

    The splitter runs a second time, on a copy in which every character that is not white space
    is a mark of its own, so that a piece's first character says where it stands.

    Args:
        text: the document.
        split: the library's function from a text to stripped pieces.
        library: named in errors.

    Raises:
        UserError: the pieces of the copy are not those of the text.
    """
    marked = "".join(
        character if character.isspace() else chr(_FIRST_MARK + position % _MARKS)
        for position, character in enumerate(text)
    )
    spans: list[Span] = []
    start = 0
    for piece in split(marked):
        wanted = ord(piece[0]) - _FIRST_MARK
        start += (wanted - start) % _MARKS
        spans.append(Span(start, start + len(piece)))
    pieces = split(text)
    if len(pieces) != len(spans):
        raise UserError(
            f"{library} gives {len(pieces)} chunks for the text and {len(spans)} for a copy with "
            "the same white space; its chunks cannot be placed"
        )
    check_slices(text, spans, pieces, library)
    return spans
